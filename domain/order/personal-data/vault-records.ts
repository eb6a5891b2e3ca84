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
