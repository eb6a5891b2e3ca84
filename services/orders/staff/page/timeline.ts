import type { Presented } from "../../../../contract/request.ts";
import type {
  entriesShown,
  entryShown,
  stateAtAnswer,
  timelineAnswer,
} from "../../../../contract/staff-orders/order-page.ts";
import type { PastEvent } from "../../orders.ts";
import { words } from "./code-words.ts";
import { wordsOf } from "./event-words.ts";
import { changesBetween, factsOf } from "./order-facts.ts";

/** The name of a member of staff by user id; the end of the id if unknown. */
export type NameOf = (userId: string) => string;

/** Where actors send commands from. */
const sources = {
  customer: "browser",
  staff: "back office",
  system: "by itself",
  provider: "notice",
} as const;

const actorKinds: Readonly<Record<string, keyof typeof sources>> = {
  customer: "customer",
  staff: "staff",
  system: "system",
  provider: "provider",
};

const kindOf = (kind: string): keyof typeof sources => actorKinds[kind] ?? "system";

export function actorWords({ kind, id }: PastEvent["metadata"]["actor"], nameOf: NameOf): string {
  switch (kindOf(kind)) {
    case "customer":
      return "customer";
    case "staff":
      return nameOf(id);
    case "system":
      return "system";
    case "provider":
      return id === "payments" ? "payment provider" : id === "gro" ? "automation service" : id;
  }
}

/** A timeline entry with its changes and the raw event. */
function presentEntry(
  past: PastEvent,
  before: PastEvent | undefined,
  nameOf: NameOf,
): Presented<typeof entryShown> {
  const { event, stored, metadata, order } = past;
  const { actor } = metadata;
  const said = wordsOf(event, kindOf(actor.kind));
  return {
    revision: stored.revision,
    id: stored.id,
    type: event.type,
    at: metadata.at,
    kind: said.kind,
    title: said.title,
    detail: said.detail,
    actor: { kind: kindOf(actor.kind), id: actor.id, name: actorWords(actor, nameOf) },
    source: sources[kindOf(actor.kind)],
    correlationId: metadata.correlationId,
    causationId: metadata.causationId,
    reason: reasonWords(stored.metadata.reason),
    changes: presentChanges(changesBetween(before?.order, order)),
    raw: {
      id: stored.id,
      stream: stored.stream,
      revision: stored.revision,
      position: stored.position,
      type: stored.type,
      recordedAt: stored.recordedAt,
      data: stored.data,
      metadata: stored.metadata,
    },
  };
}

const staffReasons: Readonly<Record<string, string>> = words.staffReason;

const reasonWords = (code: unknown): string | null =>
  typeof code === "string" ? (staffReasons[code] ?? code) : null;

const presentChanges = (changes: ReturnType<typeof changesBetween>) =>
  changes.map(({ label, before, after }) => ({ label, before, after }));

/** Timeline entries of some events, oldest first. */
export const presentEntries = (
  history: readonly PastEvent[],
  nameOf: NameOf,
  from = 0,
): Presented<typeof entriesShown> =>
  history.slice(from).map((past, index) => presentEntry(past, history[from + index - 1], nameOf));

export const presentTimeline = (
  history: readonly PastEvent[],
  nameOf: NameOf,
): Presented<typeof timelineAnswer> => ({
  revision: history.length - 1,
  entries: presentEntries(history, nameOf),
});

/** The order right after one of its events, and that event's changes. */
export const presentStateAt = (
  past: PastEvent,
  before: PastEvent | undefined,
): Presented<typeof stateAtAnswer> => ({
  revision: past.stored.revision,
  at: past.metadata.at,
  phase: past.order.phase,
  facts: factsOf(past.order).map(({ name, label, value }) => ({ name, label, value })),
  changes: presentChanges(changesBetween(before?.order, past.order)),
});
