import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { groNoticeMessage } from "../../../contract/providers/notices.ts";
import { applicationRecord, groContact } from "../../../domain/forms/sealed-records.ts";
import type { JsonObject } from "../../../infra/json.ts";
import { failCommand, namedFileError } from "../../../infra/process/operator-error.ts";
import { commandLine } from "../../../infra/setup/command-line.ts";
import {
  acceptedAnswer,
  exampleSubmission,
  inquiryAnswer,
  inquiryMessage,
  inquiryPath,
  refusalAnswer,
  statusAnswer,
  statusMessage,
  statusPath,
  submissionMessage,
  submissionPath,
  submissionRefusal,
} from "./automation-protocol.ts";

/**
 * The contract with the automation service as an OpenAPI 3.1 document, generated from the schemas that parse its
 * messages. Stored in docs/gro-automation.openapi.json; a test fails when that is stale.
 */
const automationDocument = (): JsonObject => ({
  openapi: "3.1.0",
  info: {
    title: "GRO automation service",
    version: "2.2.0",
    description: introduction,
  },
  servers: [{ url: "https://automation.example", description: "GRO_AUTOMATION_URL" }],
  security: [{ signature: [] }],
  paths: {
    [submissionPath]: { post: submission },
    [inquiryPath]: { post: inquiry },
    [statusPath]: { post: statuses },
  },
  webhooks: { notice: { post: notice } },
  components: {
    securitySchemes: {
      signature: {
        type: "apiKey",
        in: "header",
        name: "webhook-signature",
        description:
          "Standard Webhooks (https://www.standardwebhooks.com): `v1,` and the base 64 of an HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, under the secret whose base 64 follows `whsec_`. Several, separated by a space, while a secret is being replaced: one that fits is enough.",
      },
    },
    parameters: {
      id: header("webhook-id", "Identifies this attempt; each attempt has a new one.", {
        type: "string",
        minLength: 1,
      }),
      timestamp: header(
        "webhook-timestamp",
        "Seconds since 1970. Refuse a difference of more than 5 minutes in either direction.",
        { type: "string", pattern: "^\\d+$" },
      ),
      signature: header("webhook-signature", "See the security scheme.", { type: "string" }),
      correlation: {
        ...header(
          "correlation-id",
          "The id of the originating request in our log. Write it to yours, so an error can be traced in both. Not signed; has no effect.",
          { type: "string", maxLength: 200 },
        ),
        required: false,
      },
      trace: {
        ...header("traceparent", "W3C trace context, if tracing is on. Not signed.", {
          type: "string",
        }),
        required: false,
      },
    },
    schemas: {
      Submission: submissionShape(),
      Application: shapeOf(applicationRecord),
      Contact: shapeOf(groContact),
      Accepted: shapeOf(acceptedAnswer),
      Inquiry: shapeOf(inquiryMessage),
      InquiryAnswer: shapeOf(inquiryAnswer),
      Statuses: shapeOf(statusMessage),
      StatusesAnswer: shapeOf(statusAnswer),
      Refusal: shapeOf(refusalAnswer),
      SubmissionRefusal: shapeOf(submissionRefusal),
      Notice: shapeOf(groNoticeMessage),
    },
  },
});

const introduction = `A service that fills in and submits the General Register Office's forms. It serves three operations and calls us back with notices. Both directions are JSON over HTTPS, and each message is signed.

**A submission may reach the GRO at most once.** Networks lose requests and answers, so the key decides: keep every key you accepted, with its answer and outcome, for at least 180 days. The same key with the same application gets the same answer, however often and however concurrently it arrives, and also past \`notAfter\`; another application under an accepted key is a 409 and changes nothing. \`notAfter\` is not part of the application.

**A late request must do nothing.** A process of ours that paused may send an application that others have since sent under another key. Two rules keep it from the GRO, and you must follow both. First, each submission carries \`notAfter\`: once your clock is past it, refuse with \`expired\` and close the key. Second, an inquiry closes the key that it answers \`unknown\`: refuse later requests under it with \`closed\`. A closed key stays closed, across restarts too; keep it for at least 30 days. When a submission and an inquiry arrive at the same time, exactly one of them decides: claim the key in one atomic step (a unique index will do) before anything goes to the GRO. An inquiry about a key that is claimed and not yet accepted is a 503.

**Clocks.** Yours and ours must agree to 5 minutes, or signatures are refused. \`notAfter\` is 10 minutes after we began the attempt, so within that tolerance a prompt request is never refused. Compare it with your clock directly: the allowance is made on our side.

**Certain and uncertain.** A 4xx with a \`code\`, 401 and 403 say that this request certainly did not reach the GRO; we then try again under another key (after \`expired\` and \`closed\` only once an inquiry has answered), or hand it to a person. Anything else leaves the outcome open: a 5xx, a time-out (we wait 15 seconds), a lost connection, a redirect, an answer that does not parse or is longer than 64 KB, a 404 or 409 without a code. Then we send nothing again before an inquiry has answered about the key. So answer only once the GRO has it, and never \`unknown\` while a submission may still be on its way.

**Notices may be lost too.** We ask about a submission that is past its despatch date with \`${statusPath}\`: the next morning, then less and less often, finally once a week, for about four months. Answer it from what you know; it must not wait for the GRO.

**Personal data.** \`application\` and \`contact\` hold what the customer typed. Delete both once the submission is done: we erase ours within minutes of your acceptance. Keys, order numbers and the GRO reference may stay. The \`question\` of a notice may repeat some of it: delete it once we have accepted the notice, or keep it for \`${statusPath}\` until the GRO's next step. We erase ours as soon as the customer has answered, or the GRO goes on without an answer.

**Where the certificate goes.** The GRO posts it to \`recipient\` of \`contact\` where there is one, otherwise to the applicant: \`contactFullName\` and \`contactAddress\`. If you cannot give the GRO another person's name and address for delivery, refuse the submission with \`invalid\` rather than have it posted to the applicant.

**Unknown fields.** \`application\` holds the answers of the order form, which differ by certificate type and may grow: ignore fields you do not know.`;

const json = (name: string): JsonObject => ({
  "application/json": { schema: { $ref: `#/components/schemas/${name}` } },
});
const answer = (description: string, name?: string): JsonObject => ({
  description,
  ...(name !== undefined && { content: json(name) }),
});
const signed: JsonObject[] = ["id", "timestamp", "signature"].map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));
const watched: JsonObject[] = ["correlation", "trace"].map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));
const unreadable: JsonObject = {
  "401": answer("The signature is wrong, missing or too old. The GRO certainly does not have it.", "Refusal"),
};
const fault: JsonObject = {
  "5XX": answer("Nothing is known of the outcome. The body is not read."),
};

function header(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: "header", required: true, description, schema };
}

const submission: JsonObject = {
  operationId: "submit",
  summary: "Submit an application to the GRO",
  parameters: [
    ...signed,
    header("idempotency-key", "The same key as in the body.", {
      type: "string",
      minLength: 1,
      maxLength: 200,
    }),
    ...watched,
  ],
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Submission" },
        examples: { birth: { summary: "A birth in 1962", value: exampleSubmission } },
      },
    },
  },
  responses: {
    "200": answer("The GRO has it, or had it already under this key.", "Accepted"),
    ...unreadable,
    "409": answer("Another application was accepted under this key. The body is not read: ask by the key."),
    "4XX": answer(
      "`rejected`: the GRO refused it. `invalid`: it does not conform to this document. `expired`: your clock is past its `notAfter`; its key is closed now. `closed`: an inquiry about its key was answered `unknown`. In each case this request did nothing.",
      "SubmissionRefusal",
    ),
    ...fault,
  },
};

const inquiry: JsonObject = {
  operationId: "ask",
  summary: "Ask about a key",
  description:
    "Closes the key for good if it was never accepted: we then send the application under another. Sent up to three times in a row, and again later; a closed key is `unknown` each time. A POST, because its body is what is signed: a signature over an empty GET would fit every key.",
  parameters: [...signed, ...watched],
  requestBody: { required: true, content: json("Inquiry") },
  responses: {
    "200": answer(
      "`accepted`, with the submission's original answer. `unknown`: it was never accepted, is not on its way, and is refused from now on, so the GRO certainly does not have it and will not.",
      "InquiryAnswer",
    ),
    ...unreadable,
    "4XX": answer("It does not conform to this document. Says nothing about the key.", "Refusal"),
    ...fault,
  },
};

const statuses: JsonObject = {
  operationId: "statuses",
  summary: "Status of submissions",
  description:
    "Changes nothing, and closes no key. Used before a first attempt, because a restored database of ours may have forgotten one, and for submissions past their despatch date. Identified by key, or by the GRO reference if a person submitted it.",
  parameters: [...signed, ...watched],
  requestBody: { required: true, content: json("Statuses") },
  responses: {
    "200": answer(
      "One for each requested, in the same order. `accepted`, with the submission's original answer and the GRO's latest step. `unknown`: not accepted so far, or a reference you do not know.",
      "StatusesAnswer",
    ),
    ...unreadable,
    "4XX": answer("It does not conform to this document. Says nothing about the submissions.", "Refusal"),
    ...fault,
  },
};

const notice: JsonObject = {
  operationId: "notify",
  summary: "Notify us of the GRO's step",
  description:
    "Call {PUBLIC_URL}/api/webhooks/gro, signed with GRO_CALLBACK_SECRET, or GRO_AUTOMATION_SECRET if that is not set. `dispatched`: the certificate has been posted. `notFound`: the GRO has no such entry. `queried`: it has a question, whose text may come as `question`. A later text takes the place of the earlier one while the question is open. Repeat until a 2xx, with growing pauses, for some days; keep the `noticeId` when you repeat, and use a new one for a new notice. Order does not matter.",
  parameters: signed,
  requestBody: { required: true, content: json("Notice") },
  responses: {
    "2XX": answer("Accepted, now or before. Also for an unknown key: repeating it would not help."),
    "4XX": answer("Wrong signature, too old, or not of this shape."),
    "5XX": answer("Not accepted: repeat it later."),
  },
};

/** The message with its two open parts described: the answers of the order form, and the contact details. */
function submissionShape(): JsonObject {
  const { properties, ...shape } = shapeOf(submissionMessage);
  return {
    ...shape,
    properties: {
      ...jsonObject.parse(properties),
      application: { $ref: "#/components/schemas/Application" },
      contact: { $ref: "#/components/schemas/Contact" },
    },
  };
}

const jsonObject = z.record(z.string(), z.json());

/** @param schema of a whole message; its parser's further checks are left out */
function shapeOf(schema: z.core.$ZodType): JsonObject {
  const shape = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", override: shorten });
  const { $schema: _dialect, $defs: _anyJson, ...rest } = jsonObject.parse(JSON.parse(JSON.stringify(shape)));
  return rest;
}

/** Omits noise: descriptions of any JSON, the pattern of timestamps, and bounds of integers. */
function shorten({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema.propertyNames !== undefined) {
    delete jsonSchema.propertyNames;
    jsonSchema.additionalProperties = true;
  } else if (typeof jsonSchema.additionalProperties === "object") jsonSchema.additionalProperties = true;
  const { description } = jsonSchema;
  if (jsonSchema.format === "date-time") {
    jsonSchema.pattern = "Z$";
    jsonSchema.description = typeof description === "string" ? `In UTC. ${description}` : "In UTC.";
  }
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

// npm run docs:automation [-- FILE]: regenerates the stored document from the schemas, or writes it to another file.
if (import.meta.main) {
  const stored = join(import.meta.dirname, "..", "..", "..", "docs", "gro-automation.openapi.json");
  const { operand: file = stored } = commandLine("docs:automation");
  try {
    writeFileSync(file, `${JSON.stringify(automationDocument(), null, 2)}\n`);
  } catch (error) {
    failCommand(namedFileError(file, error));
  }
}
