/** The provider has no payment for this order, or none was ever requested. */
export class PaymentNotReceived extends Error {
  override name = "PaymentNotReceived";
  /** The order's phase. */
  readonly phase: string;
  constructor(phase: string, message: string) {
    super(message);
    this.phase = phase;
  }
}

/** The provider does not know yet whether the card will be charged; what depends on it must wait. */
export class PaymentProcessing extends Error {
  override name = "PaymentProcessing";
}

/** The intent does not belong to the order: wrong order, amount or currency. Nothing in it is trusted. */
export class PaymentMismatch extends Error {
  override name = "PaymentMismatch";
}
