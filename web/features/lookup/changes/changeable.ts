import type { TrackedOrder } from "../../../../contract/orders/tracking.ts";

/** A changeable application: not sent yet, or in question at the GRO and already destroyed here. */
export interface Changeable {
  id: string;
  type: NonNullable<TrackedOrder["certificateType"]>;
  answering: boolean;
}

export function changeableIn(order: TrackedOrder): Changeable | null {
  const { id, certificateType: type, canAmend, question } = order;
  return id && type && (canAmend || question) ? { id, type, answering: question === true } : null;
}
