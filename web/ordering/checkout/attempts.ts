import { createAttemptStore } from "./order-attempt.ts";

/** This tab's current order attempt. */
export const attempts = createAttemptStore(sessionStorage);
