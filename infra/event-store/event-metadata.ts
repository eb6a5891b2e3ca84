import { z } from "zod";
import { recordedInstant } from "../recorded-instant.ts";

/** Stored with every event: who sent the command, when, why, and the link in the hash chain. */
export const eventMetadata = z.object({
  /** The command that produced the event; all its events carry the same. */
  commandId: z.string(),
  /** Hex; distinguishes a repeat from another command under the same id. Null when there is nothing to compare. */
  fingerprint: z.string().nullable(),
  /** `id` is opaque. */
  actor: z.object({ kind: z.string(), id: z.string() }),
  /** Shared by everything done for the same external request. */
  correlationId: z.string(),
  /** Id of the event to which a policy reacted. */
  causationId: z.string().nullable(),
  /** Why staff sent the command: a code of a closed list. Absent when no reason is required. */
  reason: z.string().exactOptional(),
  /** Shape of the data: see upcasting.ts. */
  schemaVersion: z.int().min(1),
  /** When it was decided, ISO 8601 in UTC. */
  at: recordedInstant,
  /** Hash of the previous event in the stream, null for the first: see hash-chain.ts. */
  previousHash: z.string().nullable(),
  hash: z.string(),
});

export type EventMetadata = z.infer<typeof eventMetadata>;
