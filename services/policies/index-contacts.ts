import { contactRecord } from "../../domain/forms/sealed-records.ts";
import { personOfDraft } from "../../domain/saved-draft/sealed-records.ts";
import { ticketContactRecord } from "../../domain/ticket/held-texts.ts";
import type { Client } from "../../infra/postgres/pool.ts";
import type { BlindIndex, Entry, Unindexed } from "../vault/blind-index.ts";
import { openIfThere, type Vault } from "../vault/vault.ts";
import { type Subject, type SubjectParts, subjectIfKnown } from "./subject.ts";

export type IndexContactsParts = SubjectParts & { vault: Vault; index: BlindIndex };

/**
 * Indexes missing contacts of the given orders, tickets and drafts: customers who have paid, authors of tickets and
 * people who saved an order, under their current contact record. Derived from log and vault, so it can be repeated and the index rebuilt.
 * @param fail called for each contact that could not be indexed; the others continue
 * @param client of the transaction that looks for missing ones
 */
export async function indexContacts(
  parts: IndexContactsParts,
  subjectIds: readonly string[],
  fail: (record: Unindexed, error: unknown) => Promise<void>,
  client?: Client,
): Promise<void> {
  for (const record of await parts.index.unindexed(subjectIds, client)) {
    await indexContact(parts, record).catch((error: unknown) => fail(record, error));
  }
}

async function indexContact(parts: IndexContactsParts, { subjectId, recordId }: Unindexed): Promise<void> {
  const subject = await subjectIfKnown(parts, subjectId);
  if (!subject || contactToFind(subject) !== recordId) return;
  const { kind } = subject;
  const person = await personIn(parts.vault, kind, recordId);
  // Purged in the meantime.
  if (!person) return;
  await parts.index.write({ subject: { kind, id: subjectId }, recordId, person });
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
