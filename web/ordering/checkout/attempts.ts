import { createAttemptStore } from "./order-attempt.ts";

/** This tab's current order attempt. */
export const attempts = createAttemptStore(sessionStorage);

/** True from the charge until the confirmation is shown. */
export const isPaid = (): boolean => attempts.read()?.paid === true;
