import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { automationDocument } from "../../services/providers/gro/automation-document.ts";

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
  ajv.addSchema({ ...automationDocument(), $id: "contract" });
  return {
    faultOf: (name, message) => {
      const validate = ajv.getSchema(`contract#/components/schemas/${name}`);
      if (validate === undefined) throw new Error(`The contract has no ${name}.`);
      return validate(message) ? undefined : ajv.errorsText(validate.errors);
    },
  };
}
