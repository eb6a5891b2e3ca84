import { createAttemptStore } from "./order-attempt.ts";

/** The attempt to order that this tab has under way. */
export const attempts = createAttemptStore(sessionStorage);
