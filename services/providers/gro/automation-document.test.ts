import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { variantRequest } from "../../../domain/forms/variant-request.ts";
import { variantBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { messageShapes, publishedContract } from "../../../testing/providers/automation-shapes-fixture.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { exampleSubmission, submissionMessage } from "./automation-protocol.ts";

const command = join(import.meta.dirname, "automation-document.ts");

describe("the contract with the automation service", () => {
  it("matches its schemas (npm run docs:automation regenerates it)", () => {
    const folder = temporaryFolder("contract");
    const file = join(folder, "contract.json");
    execFileSync(process.execPath, [command, file]);
    expect(publishedContract).toEqual(JSON.parse(readFileSync(file, "utf8")));
  });

  it("is a valid OpenAPI document of version 3.1", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(publishedContract))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  it("has an example application as the order form would produce it", () => {
    expect(submissionMessage.parse(exampleSubmission)).toEqual(exampleSubmission);
    const { faultOf } = messageShapes();
    expect(faultOf("Submission", exampleSubmission)).toBeUndefined();
    const { application } = variantRequest("2026-11-21").parse(variantBody());
    expect(Object.keys(exampleSubmission.application).sort()).toEqual(Object.keys(application).sort());
    expect(faultOf("Application", application)).toBeUndefined();
  });

  it("has schemas that reject invalid messages", () => {
    const { faultOf } = messageShapes();
    expect(faultOf("Submission", { ...exampleSubmission, copies: 0 })).toBeDefined();
    expect(faultOf("Submission", { ...exampleSubmission, more: 1 })).toBeDefined();
    expect(
      faultOf("Accepted", { groOrderReference: "GRO-1", acceptedAt: "2026-11-21T10:00:00+01:00" }),
    ).toBeDefined();
  });
});
