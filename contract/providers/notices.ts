import * as z from "zod/mini";
import { instant } from "../../domain/fields.ts";
import { optional } from "../../domain/forms/answers.ts";
import { mostQuestionCharacters } from "../../domain/forms/sealed-records.ts";
import { answers, post } from "../request.ts";

/** Acknowledges a webhook: the provider need not send it again. */
const noticeTaken = z.object({ received: z.literal(true) }).register(z.globalRegistry, { id: "NoticeTaken" });

/** The provider's library parses the signed bytes. */
export const paymentNotice = post("/api/webhooks/stripe", {
  summary: "A webhook from the payment provider",
  from: "provider",
  limit: "webhooks",
  body: z.looseObject({ id: z.string(), type: z.string() }),
  answers: answers(noticeTaken),
  refuses: ["payments-unavailable"],
});

/** Named by events, which take neither a null character nor half of a pair. */
const token = z.string().check(
  z.minLength(1),
  z.maxLength(200),
  z.refine((text) => text.isWellFormed() && !text.includes("\0")),
);

export const groNoticeMessage = z.object({
  noticeId: token,
  key: token,
  kind: z.enum(["dispatched", "notFound", "queried"]),
  occurredAt: instant,
  question: optional(mostQuestionCharacters)
    .transform((text) => text || undefined)
    .meta({
      description:
        "The text of the question, for `queried`: plain text, as the customer is to read it. Line breaks are kept.",
    }),
});

export const groNotice = post("/api/webhooks/gro", {
  summary: "A webhook from the automation service",
  from: "provider",
  limit: "webhooks",
  body: groNoticeMessage,
  answers: answers(noticeTaken),
});
