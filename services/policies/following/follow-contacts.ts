import { addSeconds } from "../../../domain/instant.ts";
import { type OrderEventType, orderIdOf } from "../../../domain/order/events.ts";
import { type DraftEvent, draftIdOf } from "../../../domain/saved-draft/events.ts";
import { type TicketEventType, ticketIdOf } from "../../../domain/ticket/events.ts";
import { nameOfError } from "../../../infra/following/follower-faults.ts";
import type { FollowerKey } from "../../../infra/following/lease.ts";
import type { Subscribing } from "../../../infra/following/subscription/subscribing.ts";
import type { Log } from "../../../infra/process/log.ts";
import { isStorageError } from "../../../infra/telemetry/storage/storage-watch.ts";
import type { Unindexed } from "../../vault/blind-index.ts";
import { type IndexContactsParts, indexContacts } from "../index-contacts.ts";
import { placeOf } from "../perform-task.ts";

/** Raise the version when the search terms change: every order and ticket is then indexed again. */
export const contactsFollower: FollowerKey = { name: "contacts", version: 1 };

/** Events after which a person becomes searchable, or by other terms. */
const concernsPeople: ReadonlySet<string> = new Set<OrderEventType | TicketEventType | DraftEvent["type"]>([
  "PaymentConfirmed",
  "PaymentReceivedUnexpectedly",
  "ContactCorrected",
  "TicketOpened",
  "DraftSaved",
]);

/** Delay before the sweep retries a contact that could not be indexed. */
const retrySeconds = 60;

export type FollowContactsParts = IndexContactsParts & { now: () => Date; log: Log };

/** Adds people to the blind index as events make them searchable. The sweep finds what this misses. */
export function contactsPolicy(parts: FollowContactsParts): Subscribing {
  const { log, vault, now } = parts;
  /** One contact that cannot be indexed must not block the others. */
  async function putOff({ subjectId, recordId }: Unindexed, error: unknown): Promise<void> {
    if (isStorageError(error)) throw error;
    log.error(
      { subjectId, code: nameOfError(error), place: placeOf(error) },
      "a contact could not be indexed",
    );
    const dueAt = addSeconds(now().toISOString(), retrySeconds);
    await vault.lookAgain([{ recordId, dueAt, keptDays: null }]);
  }
  return {
    ...contactsFollower,
    process: async (client, events) => {
      const subjectIds = events
        .filter(({ type }) => concernsPeople.has(type))
        .map(({ stream }) => orderIdOf(stream) ?? ticketIdOf(stream) ?? draftIdOf(stream))
        .filter((id) => id !== undefined);
      if (subjectIds.length > 0) await indexContacts(parts, [...new Set(subjectIds)], putOff, client);
    },
  };
}
