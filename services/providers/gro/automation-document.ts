import { z } from "zod";
import { applicationRecord, contactRecord } from "../../../domain/forms/sealed-records.ts";
import type { JsonObject } from "../../../infra/json.ts";
import { exampleSubmission } from "./automation-example.ts";
import {
  acceptedAnswer,
  inquiryAnswer,
  inquiryMessage,
  inquiryPath,
  noticeMessage,
  refusalAnswer,
  statusAnswer,
  statusMessage,
  statusPath,
  submissionMessage,
  submissionPath,
  submissionRefusal,
} from "./automation-protocol.ts";

/**
 * The contract with the automation service as an OpenAPI 3.1 document, for whoever builds such a service: made from the schemas that we
 * parse with. It is kept in docs/gro-automation.openapi.json, and a test says when that is stale.
 */
export const automationDocument = (): JsonObject => ({
  openapi: "3.1.0",
  info: {
    title: "GRO automation service",
    version: "2.0.0",
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
      id: header("webhook-id", "Of this attempt: another at each.", { type: "string", minLength: 1 }),
      timestamp: header(
        "webhook-timestamp",
        "Seconds since 1970. Refuse what is more than 5 minutes off, either way.",
        { type: "string", pattern: "^\\d+$" },
      ),
      signature: header("webhook-signature", "See the security scheme.", { type: "string" }),
      correlation: {
        ...header(
          "correlation-id",
          "What the request that led to this is called in our log. Write it into yours: whoever looks for a fault in both finds it by that. Not signed; it decides nothing.",
          { type: "string", maxLength: 200 },
        ),
        required: false,
      },
      trace: {
        ...header("traceparent", "Our place in a W3C trace, where we keep traces. Not signed.", {
          type: "string",
        }),
        required: false,
      },
    },
    schemas: {
      Submission: submissionShape(),
      Application: shapeOf(applicationRecord),
      Contact: shapeOf(contactRecord),
      Accepted: shapeOf(acceptedAnswer),
      Inquiry: shapeOf(inquiryMessage),
      InquiryAnswer: shapeOf(inquiryAnswer),
      Statuses: shapeOf(statusMessage),
      StatusesAnswer: shapeOf(statusAnswer),
      Refusal: shapeOf(refusalAnswer),
      SubmissionRefusal: shapeOf(submissionRefusal),
      Notice: shapeOf(noticeMessage),
    },
  },
});

const introduction = `A service that fills in and submits the General Register Office's forms. It serves three operations, which we call, and calls us back with notices. Both directions are JSON over HTTPS, and each message is signed.

**A submission may reach the GRO at most once.** Networks lose requests and answers, so the key decides: keep every key you accepted, with its answer and what became of it, for at least 180 days. The same key with the same application gets the same answer, however often and however much at once it comes, and also past \`notAfter\`; another application under an accepted key is a 409 and changes nothing. \`notAfter\` is no part of the application.

**A request may be late, and must then do nothing.** A process of ours that stood still may send what others have given up and sent anew under another key. Two things keep that from the GRO, and you must have both. First, each submission carries \`notAfter\`: once your clock is past it, refuse with \`expired\` and close the key. Second, an inquiry closes the key that it answers \`unknown\`: refuse whatever comes under it later with \`closed\`. A closed key stays closed, also over a restart; keep it for at least 30 days. Where a submission and an inquiry come at the same time, exactly one of them decides: claim the key in one atomic step (a unique index will do) before anything goes to the GRO. An inquiry about a key that is claimed and not yet accepted is a 503.

**Clocks.** Yours and ours must agree to 5 minutes, or signatures are refused. \`notAfter\` is 10 minutes after we began the attempt, so within that tolerance nothing is refused that comes at once. Compare it with your clock as it is: the allowance is made on our side.

**Certain and uncertain.** A 4xx with a \`code\`, 401 and 403 say that the GRO certainly does not have the application by this request; it is then tried again under another key (after \`expired\` and \`closed\` only once an inquiry has answered), or handed to a person. Anything else leaves that open: a 5xx, a time-out (we wait 15 seconds), a lost connection, a redirect, an answer that does not parse or is longer than 64 KB, a 404 or 409 without a code. Then nothing is sent again before an inquiry has answered what became of the key. So answer only once the GRO has it, and never \`unknown\` while a submission may still be on its way.

**Notices may be lost too.** A submission that is past the day on which the GRO should have despatched it is asked about by \`${statusPath}\`: on the next morning, then ever more rarely, at last once a week, for some four months. Answer it from what you know; it must not wait for the GRO.

**Personal data.** \`application\` and \`contact\` hold what the customer typed. Keep neither longer than the submission takes: we destroy ours within minutes of your acceptance. Keys, order numbers and the GRO's reference may stay.

**What is not named here.** \`application\` holds the answers of the order form, which differ by certificate type and may grow: ignore what you do not know.`;

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
    header("idempotency-key", "The key of the body again.", { type: "string", minLength: 1, maxLength: 200 }),
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
      "`rejected`: the GRO refused it. `invalid`: it does not fit this document. `expired`: your clock is past its `notAfter`; its key is closed now. `closed`: an inquiry about its key was answered `unknown`. In each case this request did nothing.",
      "SubmissionRefusal",
    ),
    ...fault,
  },
};

const inquiry: JsonObject = {
  operationId: "ask",
  summary: "What became of a key?",
  description:
    "Closes the key for good where it was never accepted: we then send the application again under another. Asked up to three times in a row, and again later; a closed key is `unknown` each time. A POST, because its body is what is signed: a signature over an empty GET would fit every key.",
  parameters: [...signed, ...watched],
  requestBody: { required: true, content: json("Inquiry") },
  responses: {
    "200": answer(
      "`accepted`, with the same answer as the submission got. `unknown`: it was never accepted, is not on its way, and is refused from now on, so the GRO certainly does not have it and will not.",
      "InquiryAnswer",
    ),
    ...unreadable,
    "4XX": answer("It does not fit this document. Nothing is learnt of the key.", "Refusal"),
    ...fault,
  },
};

const statuses: JsonObject = {
  operationId: "statuses",
  summary: "How do these submissions stand?",
  description:
    "Changes nothing, and closes no key. Asked before a first attempt, because a database of ours that was restored may have forgotten one, and about what is past its day of despatch. Named by key, or by the GRO's reference where a person submitted it.",
  parameters: [...signed, ...watched],
  requestBody: { required: true, content: json("Statuses") },
  responses: {
    "200": answer(
      "One for each that was asked about, in the same order. `accepted`, with the same answer as the submission got, and what the GRO did with it last. `unknown`: not accepted so far, or a reference that is none of yours.",
      "StatusesAnswer",
    ),
    ...unreadable,
    "4XX": answer("It does not fit this document. Nothing is learnt.", "Refusal"),
    ...fault,
  },
};

const notice: JsonObject = {
  operationId: "notify",
  summary: "What the GRO did with a submission",
  description:
    "Call {PUBLIC_URL}/api/webhooks/gro, signed with GRO_CALLBACK_SECRET, or GRO_AUTOMATION_SECRET where that is not set. `dispatched`: the certificate is in the post. `notFound`: the GRO has no such entry. `queried`: it has a question. Repeat until a 2xx, with pauses that grow, for some days; keep the `noticeId` when you repeat, and take another for another notice. Order does not matter.",
  parameters: signed,
  requestBody: { required: true, content: json("Notice") },
  responses: {
    "2XX": answer("Taken, now or before. Also a key that is none of ours: repeating it would not help."),
    "4XX": answer("Not signed as it should be, too old, or not of this shape."),
    "5XX": answer("Not taken: repeat it later."),
  },
};

/** The message, with what is in its two open parts: the answers of the order form, and to whom the certificate goes. */
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

/** @param schema of a whole message; what its parser checks beyond its shape is left out */
function shapeOf(schema: z.ZodType): JsonObject {
  const shape = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", override: shorten });
  const { $schema: _dialect, $defs: _anyJson, ...rest } = jsonObject.parse(JSON.parse(JSON.stringify(shape)));
  return rest;
}

/** Any JSON needs no description, a moment says in a word what its pattern says at length, and the bounds of every integer say nothing. */
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
