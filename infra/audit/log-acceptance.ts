import { z } from "zod";
import { type Message, sealEvents } from "../commands/sealing.ts";
import type { EventStore } from "../event-store/event-store.ts";
import { verifyStream } from "../event-store/hash-chain.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** The log as an operator accepted it after a restore. No personal data: who did it is not said. */
const acceptedLog = z.strictObject({
  /** Events before this one. */
  events: z.int().min(1),
  /** Of the tree over those events. */
  root: hash,
  rollingHash: hash,
});

export const acceptanceEventSchemas = { LogAccepted: { version: 1, data: acceptedLog } } as const;

export const acceptanceEventSchema = z.strictObject({ type: z.literal("LogAccepted"), data: acceptedLog });

/** A stream that nothing folds: it is there to be read, and to be in the tree. */
export const acceptanceStream = "log-acceptance";

/** Appends the acceptance to the log that was accepted. @throws the store's errors */
export async function recordAcceptance(options: {
  readonly store: Pick<EventStore, "append" | "readStream">;
  readonly accepted: z.output<typeof acceptedLog>;
  readonly at: string;
  /** Identifies this acceptance. */
  readonly id: string;
}): Promise<void> {
  const { store, accepted, at, id } = options;
  const before = await store.readStream(acceptanceStream);
  const last = before.at(-1);
  const after = {
    revision: last?.revision ?? ("none" as const),
    hash: verifyStream(acceptanceStream, before),
  };
  const event: Message = { type: "LogAccepted", data: acceptedLog.parse(accepted) };
  const sealed = sealEvents([event], acceptanceEventSchemas, {
    stream: acceptanceStream,
    after,
    metadata: { commandId: id, at, actor: { kind: "system", id: "audit" }, correlationId: id },
    causationId: null,
    fingerprint: null,
  });
  await store.append({
    stream: acceptanceStream,
    expectedRevision: after.revision,
    events: sealed.map(({ stored }) => stored),
  });
}
