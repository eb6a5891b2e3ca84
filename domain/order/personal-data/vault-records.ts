import type { Order, VaultRecords } from "../state.ts";
import type { DataClass, PurgedKind } from "../vocabulary.ts";

/** A record that events name, and what it is. */
interface NamedRecord {
  readonly ref: string;
  readonly kind: PurgedKind;
}

/** Stands for a record that is sealed only once the command that is to name it would be taken. */
export const unsealed = "00000000-0000-4000-8000-000000000000";

/** The same records with a new one in the place of the old, which is to be purged. */
export function supersede(
  vault: VaultRecords,
  dataClass: DataClass,
  ref: string,
  since: string,
): VaultRecords {
  const old = vault[dataClass];
  const superseded =
    old === null ? vault.superseded : [...vault.superseded, { ref: old, dataClass, since, destroyed: false }];
  return { ...vault, [dataClass]: ref, superseded };
}

/** True while the GRO waits for the customer's answer: until then the text of its question is needed. */
export const awaitsAnswer = ({ phase, outcome }: Order): boolean =>
  phase === "Submitted" && outcome?.outcome === "queried";

/** The sealed text of the question that the GRO waits to have answered; null without one. */
export const questionOf = ({ questions }: VaultRecords): string | null =>
  questions.find(({ closedAt }) => closedAt === null)?.ref ?? null;

/** The same records with the text of a question in the place of any earlier one. */
export const withQuestion = (vault: VaultRecords, ref: string, at: string): VaultRecords => ({
  ...vault,
  questions: [...closed(vault.questions, at), { ref, closedAt: null }],
});

const closed = (questions: VaultRecords["questions"], at: string): VaultRecords["questions"] =>
  questions.map(({ ref, closedAt }) => ({ ref, closedAt: closedAt ?? at }));

/** The order with its questions closed, unless the GRO still waits for the answer. */
export const closeQuestions = (order: Order, at: string): Order =>
  questionOf(order.vault) === null || awaitsAnswer(order)
    ? order
    : { ...order, vault: { ...order.vault, questions: closed(order.vault.questions, at) } };

/** The same records once a replaced one is gone. */
export const destroyed = (vault: VaultRecords, ref: string): VaultRecords => ({
  ...vault,
  superseded: vault.superseded.map((record) =>
    record.ref === ref ? { ...record, destroyed: true } : record,
  ),
});

/** The records without those of a class, replaced ones included. */
export function withoutClass(vault: VaultRecords, dataClass: DataClass): VaultRecords {
  const superseded = vault.superseded.filter((record) => record.dataClass !== dataClass);
  return dataClass === "application"
    ? { ...vault, application: null, signature: null, superseded }
    : { ...vault, contact: null, groReferences: [], notes: [], bankTransfers: [], superseded };
}

/** The records of a class that events name and that are not known to be gone, replaced ones included. */
export function namedRecords(vault: VaultRecords, dataClass: DataClass): readonly NamedRecord[] {
  const superseded = vault.superseded.filter((record) => record.dataClass === dataClass && !record.destroyed);
  const of = (kind: PurgedKind, refs: readonly (string | null)[]): NamedRecord[] =>
    refs.flatMap((ref) => (ref === null ? [] : [{ ref, kind }]));
  const current =
    dataClass === "application"
      ? [...of("application", [vault.application]), ...of("signature", [vault.signature])]
      : [
          ...of("contact", [vault.contact]),
          ...of("groOrderReference", vault.groReferences),
          ...of("orderNote", vault.notes),
          ...of("bankTransfer", vault.bankTransfers),
        ];
  return [
    ...of(
      dataClass,
      superseded.map(({ ref }) => ref),
    ),
    ...current,
  ];
}

/** True while an event names a record of the class, replaced ones included, or a purge of it is under way. */
export const isAlive = ({ vault, purges }: Order, dataClass: DataClass): boolean =>
  purges[dataClass].open !== undefined || namedRecords(vault, dataClass).length > 0;
