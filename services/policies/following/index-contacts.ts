import { contactRecord } from "../../../domain/forms/sealed-records.ts";
import { addSeconds } from "../../../domain/instant.ts";
import { type OrderEventType, orderIdOf } from "../../../domain/order/events.ts";
import { type DraftEvent, draftIdOf } from "../../../domain/saved-draft/events.ts";
import { personOfDraft } from "../../../domain/saved-draft/sealed-records.ts";
import { type TicketEventType, ticketIdOf } from "../../../domain/ticket/events.ts";
import { ticketContactRecord } from "../../../domain/ticket/held-texts.ts";
import { nameOfError } from "../../../infra/following/follower-faults.ts";
import type { FollowerKey } from "../../../infra/following/lease.ts";
import type { Subscribing } from "../../../infra/following/subscription/subscribing.ts";
import type { Client } from "../../../infra/postgres/pool.ts";
import type { Log } from "../../../infra/process/log.ts";
import { isStorageError } from "../../../infra/telemetry/storage/storage-watch.ts";
import type { BlindIndex, Entry, Unindexed } from "../../vault/blind-index.ts";
import { openIfThere, type Vault } from "../../vault/vault.ts";
import { placeOf } from "../perform-task.ts";
import { type Subject, type SubjectParts, subjectIfKnown } from "../subject.ts";
import { findDuplicates } from "./find-duplicates.ts";

type IndexContactsParts = SubjectParts & { vault: Vault; index: BlindIndex };

/** Read at once, and written in one transaction: whatever else a batch of events means waits for them. */
const mostAtOnce = 8;

/**
 * Indexes missing contacts of the given orders, tickets and drafts: customers who have paid, authors of tickets and
 * people who saved an order, under their current contact record. Derived from log and vault, so it can be repeated and
 * the index rebuilt.
 * @param fail called for each contact that could not be indexed; the others continue
 * @param client of the transaction that looks for missing ones
 */
export async function indexContacts(
  parts: IndexContactsParts,
  subjectIds: readonly string[],
  fail: (record: Unindexed, error: unknown) => Promise<void>,
  client?: Client,
): Promise<void> {
  const records = await parts.index.unindexed(subjectIds, client);
  for (let from = 0; from < records.length; from += mostAtOnce) {
    const group = records.slice(from, from + mostAtOnce);
    const found = await Promise.allSettled(group.map((record) => entryOf(parts, record)));
    const entries: Entry[] = [];
    for (const [nth, record] of group.entries()) {
      const result = found[nth];
      if (result?.status === "rejected") await fail(record, result.reason);
      else if (result?.value) entries.push(result.value);
    }
    await writeEach(parts.index, entries, fail);
  }
}

/** Together, or one by one if that fails: one that cannot be written must not block the others. */
async function writeEach(
  index: BlindIndex,
  entries: readonly Entry[],
  fail: (record: Unindexed, error: unknown) => Promise<void>,
): Promise<void> {
  const [first, ...others] = entries;
  if (!first) return;
  try {
    await index.write(entries);
  } catch (error) {
    // While our storage is away the others would wait for it as long.
    if (others.length > 0 && !isStorageError(error))
      for (const entry of entries) await writeEach(index, [entry], fail);
    else for (const { subject, recordId } of entries) await fail({ subjectId: subject.id, recordId }, error);
  }
}

/** Undefined for a record that is not to be found, or was purged in the meantime. */
async function entryOf(
  parts: IndexContactsParts,
  { subjectId, recordId }: Unindexed,
): Promise<Entry | undefined> {
  // Read, not as last seen: a stream that was tampered with is found here, and parked.
  const subject = await subjectIfKnown(parts, subjectId);
  if (!subject || contactToFind(subject) !== recordId) return undefined;
  const { kind } = subject;
  const person = await personIn(parts.vault, kind, recordId);
  return person && { subject: { kind, id: subjectId }, recordId, person };
}

/** Unpaid orders are forgotten within a day and need no index entry. */
function contactToFind(subject: Subject): string | null {
  if (subject.kind === "draft") return subject.draft.draftRef;
  if (subject.kind === "ticket") return subject.ticket.contactRef;
  return subject.order.payments.length > 0 ? subject.order.vault.contact : null;
}

async function personIn(
  vault: Vault,
  kind: Entry["subject"]["kind"],
  recordId: string,
): Promise<Entry["person"] | undefined> {
  if (kind === "draft") return openIfThere(vault, recordId, personOfDraft);
  if (kind === "ticket") return openIfThere(vault, recordId, ticketContactRecord);
  const contact = await openIfThere(vault, recordId, contactRecord);
  return (
    contact && {
      email: contact.email,
      name: contact.contactFullName,
      postcode: contact.contactAddress.PostCode,
    }
  );
}

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

type FollowContactsParts = IndexContactsParts & { now: () => Date; newId: () => string; log: Log };

/**
 * Adds people to the blind index as events make them searchable. The sweep finds what this misses. Once the index knows
 * whose a paid order is, it is compared with that customer's others.
 */
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
  /** Staff then see no mark, which must not block the others. */
  function leaveUncompared(orderId: string, error: unknown): void {
    if (isStorageError(error)) throw error;
    log.warn(
      { orderId, code: nameOfError(error), place: placeOf(error) },
      "an order could not be compared with others of its customer",
    );
  }
  return {
    ...contactsFollower,
    process: async (client, events) => {
      const subjectIds = events
        .filter(({ type }) => concernsPeople.has(type))
        .map(({ stream }) => orderIdOf(stream) ?? ticketIdOf(stream) ?? draftIdOf(stream))
        .filter((id) => id !== undefined);
      if (subjectIds.length > 0) await indexContacts(parts, [...new Set(subjectIds)], putOff, client);
      const paid = events
        .filter(({ type }) => type === "PaymentConfirmed")
        .flatMap(({ stream }) => orderIdOf(stream) ?? []);
      if (paid.length > 0) await findDuplicates(parts, paid, leaveUncompared);
    },
  };
}
