import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { CallFailed, type Customer } from "./load-customer.ts";
import type { LoadFigures } from "./load-figures.ts";

/** What a lookup shows of an order: the receipt, once its application was destroyed. */
export const tracked = z.object({
  receipt: z.object({ secondsAfterSubmission: z.number().nullable() }).nullable(),
});

/** When a customer looks first whether its data is gone, and for how long it goes on looking: the promise is 180 s. */
const firstLookMs = 6_000;
const watchForMs = 200_000;
/** Each look waits by so much longer than the one before, lest those who wait become the load when the target falls behind. */
const longer = 1.5;

/** Looks an order that was just submitted up until its receipt is there, and counts how long the data lived, or that it was not destroyed in time. */
export async function watchPurge(
  figures: LoadFigures,
  customer: Customer,
  url: string,
  orderNumber: string,
): Promise<void> {
  const submittedAt = performance.now();
  for (let waitMs = firstLookMs; performance.now() - submittedAt < watchForMs; waitMs *= longer) {
    await delay(waitMs);
    try {
      const asked = { orderNumber };
      const { receipt } = await customer.post("watch", `${url}/api/orders/lookup`, asked, tracked);
      if (!receipt) continue;
      const seconds = receipt.secondsAfterSubmission;
      if (seconds !== null) figures.took("accepted to purge, signed", seconds * 1000);
      return;
    } catch (error) {
      // It is counted; the next look may be answered.
      if (!(error instanceof CallFailed)) throw error;
    }
  }
  figures.failed("watch", `not destroyed within ${watchForMs / 1000} s`);
}
