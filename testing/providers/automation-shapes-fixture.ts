import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { z } from "zod";

/** The contract as it is published: a test fails when it is stale. */
export const publishedContract = z
  .record(z.string(), z.json())
  .parse(
    JSON.parse(
      readFileSync(join(import.meta.dirname, "..", "..", "docs", "gro-automation.openapi.json"), "utf8"),
    ),
  );

export type MessageName =
  | "Submission"
  | "Application"
  | "Contact"
  | "Accepted"
  | "Inquiry"
  | "InquiryAnswer"
  | "Statuses"
  | "StatusesAnswer"
  | "Refusal"
  | "SubmissionRefusal"
  | "Notice";

/** Validates messages against the published contract, as a third party would. */
export function messageShapes(): { faultOf(name: MessageName, message: unknown): string | undefined } {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  formats.default(ajv);
  ajv.addSchema({ ...publishedContract, $id: "contract" });
  return {
    faultOf: (name, message) => {
      const validate = ajv.getSchema(`contract#/components/schemas/${name}`);
      if (validate === undefined) throw new Error(`The contract has no ${name}.`);
      return validate(message) ? undefined : ajv.errorsText(validate.errors);
    },
  };
}
