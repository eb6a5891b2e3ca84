import * as z from "zod/mini";
import { instant } from "../../domain/fields.ts";
import { answers, post } from "../request.ts";

/** What a provider is told of its notice: it need not send it again. */
export const noticeTaken = z
  .object({ received: z.literal(true) })
  .register(z.globalRegistry, { id: "NoticeTaken" });

/** Read from the signed bytes by the provider's own library, which knows every shape of it. */
export const paymentNotice = post("/api/webhooks/stripe", {
  summary: "A notice of the payment provider",
  from: "provider",
  limit: "webhooks",
  body: z.looseObject({ id: z.string(), type: z.string() }),
  answers: answers(noticeTaken),
  refuses: ["payments-unavailable"],
});

/** What the automation service calls back with. */
export const groNoticeMessage = z.object({
  noticeId: z.string().check(z.minLength(1), z.maxLength(200)),
  key: z.string().check(z.minLength(1), z.maxLength(200)),
  kind: z.enum(["dispatched", "notFound", "queried"]),
  occurredAt: instant,
});

export const groNotice = post("/api/webhooks/gro", {
  summary: "A notice of the automation service",
  from: "provider",
  limit: "webhooks",
  body: groNoticeMessage,
  answers: answers(noticeTaken),
});
