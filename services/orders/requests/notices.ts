import * as notices from "../../../contract/providers/notices.ts";
import { notice } from "../../gateway/routing/route.ts";
import { takePaymentNotice } from "../payments/take-payment-notice.ts";
import { takeGroNotice } from "../submission/take-gro-notice.ts";

/** On success the provider does not send it again. */
export const paymentNotice = notice(
  notices.paymentNotice,
  ({ deps }) =>
    async ({ request, rawBody, correlationId }) => {
      const notice = deps.payments.readWebhook(rawBody, request.get("Stripe-Signature"));
      const by = { actor: { kind: "provider" as const, id: "payments" }, correlationId };
      await takePaymentNotice(deps, notice, by);
      return { body: { received: true } };
    },
);

export const groNotice = notice(
  notices.groNotice,
  ({ deps, automation }) =>
    async ({ request, rawBody, correlationId }) => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value ?? "")]);
      const notice = automation.readNotice(rawBody, Object.fromEntries(headers));
      const by = { actor: { kind: "provider" as const, id: "gro" }, correlationId };
      await takeGroNotice(deps, notice, by);
      return { body: { received: true } };
    },
);
