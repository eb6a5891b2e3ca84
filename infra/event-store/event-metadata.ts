import { z } from "zod";

/** What is stored beside every event's data: who asked for it, when, why, and its place in the chain of hashes. */
export const eventMetadata = z.object({
  /** The command that led to the event; its events carry the same. */
  commandId: z.string(),
  /** Hex; tells a repeat from another command under the same id. Null when there was nothing left to compare with. */
  fingerprint: z.string().nullable(),
  /** `id` is opaque. */
  actor: z.object({ kind: z.string(), id: z.string() }),
  /** What was done for the same request of the outside world. */
  correlationId: z.string(),
  /** Id of the event that made a policy send the command. */
  causationId: z.string().nullable(),
  /** Why somebody who works here gave the command: a code of a closed list. Absent where nobody had to say. */
  reason: z.string().exactOptional(),
  /** Shape of the data: see upcasting.ts. */
  schemaVersion: z.int().min(1),
  /** When it was decided, ISO 8601 in UTC. */
  at: z.iso.datetime(),
  /** Hash of the event before in the same stream, null for the first: see hash-chain.ts. */
  previousHash: z.string().nullable(),
  hash: z.string(),
});

export type EventMetadata = z.infer<typeof eventMetadata>;
