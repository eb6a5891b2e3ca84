import { z } from "zod";

/** A stream that nothing folds: it is there to be read, and to be in the tree. */
export const acceptanceStream = "log-acceptance";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** The log as an operator accepted it after a restore. No personal data: who did it is not said. */
export const acceptedLog = z.strictObject({
  /** Events before this one. */
  events: z.int().min(1),
  /** Of the tree over those events, in hex. */
  root: hash,
  rollingHash: hash,
});

export type AcceptedLog = z.output<typeof acceptedLog>;

/** The version and data of each event in the stream. */
export const acceptanceEventSchemas = { LogAccepted: { version: 1, data: acceptedLog } } as const;
