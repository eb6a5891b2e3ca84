/** The provider was asked and has no money for this order, or there was nothing to ask about. */
export class PaymentNotReceived extends Error {
  override name = "PaymentNotReceived";
  /** Of the order. */
  readonly phase: string;
  constructor(phase: string, message: string) {
    super(message);
    this.phase = phase;
  }
}

/** The provider does not know yet whether the card will be charged: what depends on it must wait. */
export class PaymentProcessing extends Error {
  override name = "PaymentProcessing";
}

/** What the provider says does not belong to the order: wrong order, amount or currency. It is believed in nothing. */
export class PaymentMismatch extends Error {
  override name = "PaymentMismatch";
}
