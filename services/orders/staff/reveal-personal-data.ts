import { Refused } from "../../../domain/decider.ts";
import {
  type ApplicationRecord,
  applicationRecord,
  bankTransferRecord,
  type ContactRecord,
  contactRecord,
  groReferenceRecord,
  noteRecord,
  questionRecord,
  signatureRecord,
} from "../../../domain/forms/sealed-records.ts";
import { questionOf } from "../../../domain/order/personal-data/vault-records.ts";
import type { Order } from "../../../domain/order/state.ts";
import type { Revealable, RevealReason } from "../../../domain/order/vocabulary.ts";
import { openIfThere, openWhole, unlessGone } from "../../vault/vault.ts";
import type { StaffAct } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OrderResult } from "../orders.ts";

type Look = { readonly dataClass: Revealable; readonly reason: RevealReason };

/** An order's data of one class. Never stored and never logged. */
export type RevealedApplication = {
  readonly application: ApplicationRecord;
  /** Null when none was given. */
  readonly signature: string | null;
};
export type RevealedContact = {
  readonly contact: ContactRecord;
  readonly groReferences: readonly string[];
  /** By record id, as in NoteAdded. */
  readonly notes: readonly { readonly noteRef: string; readonly text: string }[];
  /** The bank's references of staff transfers. */
  readonly bankTransfers: readonly string[];
};

/** The requested data has been destroyed. */
export class PersonalDataDestroyed extends Error {
  override name = "PersonalDataDestroyed";
  readonly dataClass: Revealable;
  constructor(dataClass: Revealable) {
    super(`The ${dataClass} data has been destroyed.`);
    this.dataClass = dataClass;
  }
}

type Looker = Pick<StaffAct, "by" | "correlationId">;

/**
 * Opens an order's application for staff. The access is recorded before anything is opened; a repeat is a further
 * access.
 * @throws PersonalDataDestroyed; Refused `variant-missing` if there never was one
 */
export async function revealApplication(
  deps: OrderDependencies,
  orderId: string,
  reason: RevealReason,
  looker: Looker,
): Promise<OrderResult & { readonly data: RevealedApplication }> {
  const result = await recordReveal(deps, orderId, { dataClass: "application", reason }, looker);
  const { vault } = result.order;
  const [application, signature] = await Promise.all([
    openIfThere(deps.vault, vault.application, applicationRecord),
    openIfThere(deps.vault, vault.signature, signatureRecord),
  ]);
  // It may have been destroyed since the access was recorded.
  if (!application) throw new PersonalDataDestroyed("application");
  return { ...result, data: { application, signature: signature?.signature ?? null } };
}

/** The same for contact data, the GRO's reference and staff notes. @throws PersonalDataDestroyed */
export async function revealContact(
  deps: OrderDependencies,
  orderId: string,
  reason: RevealReason,
  looker: Looker,
): Promise<OrderResult & { readonly data: RevealedContact }> {
  const result = await recordReveal(deps, orderId, { dataClass: "contact", reason }, looker);
  const { contact: ref } = result.order.vault;
  const contact = ref === null ? undefined : await unlessGone(openWhole(deps.vault, ref, contactRecord));
  if (!contact) throw new PersonalDataDestroyed("contact");
  const [groReferences, notes, bankTransfers] = await Promise.all([
    groReferencesOf(deps, result.order),
    notesOf(deps, result.order),
    bankTransfersOf(deps, result.order),
  ]);
  return { ...result, data: { contact, groReferences, notes, bankTransfers } };
}

/** The text of the GRO's question. @throws PersonalDataDestroyed; Refused `no-question-text` */
export async function revealQuestion(
  deps: OrderDependencies,
  orderId: string,
  reason: RevealReason,
  looker: Looker,
): Promise<OrderResult & { readonly data: string }> {
  const result = await recordReveal(deps, orderId, { dataClass: "question", reason }, looker);
  const question = await openIfThere(deps.vault, questionOf(result.order.vault), questionRecord);
  if (!question) throw new PersonalDataDestroyed("question");
  return { ...result, data: question.text };
}

async function groReferencesOf({ vault }: OrderDependencies, order: Order): Promise<string[]> {
  const opened = order.vault.groReferences.map((ref) => openIfThere(vault, ref, groReferenceRecord));
  return (await Promise.all(opened)).flatMap((record) => record?.groOrderReference ?? []);
}

async function bankTransfersOf({ vault }: OrderDependencies, order: Order): Promise<string[]> {
  const opened = order.vault.bankTransfers.map((ref) => openIfThere(vault, ref, bankTransferRecord));
  return (await Promise.all(opened)).flatMap((record) => record?.reference ?? []);
}

async function notesOf({ vault }: OrderDependencies, order: Order): Promise<RevealedContact["notes"]> {
  const opened = order.vault.notes.map(async (noteRef) => {
    const record = await openIfThere(vault, noteRef, noteRecord);
    return record ? [{ noteRef, text: record.text }] : [];
  });
  return (await Promise.all(opened)).flat();
}

const purgedRules: readonly string[] = ["application-purged", "contact-purged"];

async function recordReveal(
  deps: OrderDependencies,
  orderId: string,
  look: Look,
  { by, correlationId }: Looker,
): Promise<OrderResult> {
  try {
    return await deps.orders.execute({
      orderId,
      commandId: deps.newId(),
      by: { actor: { kind: "staff", id: by.userId }, correlationId },
      command: { type: "RevealPersonalData", data: look },
    });
  } catch (error) {
    if (!(error instanceof Refused) || !purgedRules.includes(error.rule)) throw error;
    throw new PersonalDataDestroyed(look.dataClass);
  }
}
