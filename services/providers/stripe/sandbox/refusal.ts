import type { Intent } from "./intent.ts";

/** An error in Stripe's format. */
export class StripeRefusal extends Error {
  override name = "StripeRefusal";
  readonly status: number;
  readonly type: "invalid_request_error" | "card_error" | "idempotency_error" | "api_error";
  readonly code: string | undefined;
  readonly declineCode: string | undefined;
  readonly intent: Intent | undefined;
  constructor(
    status: number,
    message: string,
    more: {
      type?: StripeRefusal["type"];
      code?: string;
      declineCode?: string | undefined;
      intent?: Intent;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.type = more.type ?? "invalid_request_error";
    this.code = more.code;
    this.declineCode = more.declineCode;
    this.intent = more.intent;
  }
}
