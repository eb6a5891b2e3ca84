import { OutcomeUnknown, StoreBusy } from "../event-store/event-store.ts";
import { isTransientFault } from "../following/transient-fault.ts";

/** Whether storage of our own failed (log, database, keys), in a way that passes. It says nothing about what was being done, and counts as no try of it. */
export const isStorageFault = (error: unknown): boolean =>
  error instanceof OutcomeUnknown || error instanceof StoreBusy || isTransientFault(error);
