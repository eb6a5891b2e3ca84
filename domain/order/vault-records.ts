import type { Order, VaultRecords } from "./state.ts";
import type { DataClass } from "./vocabulary.ts";

/** The same records with a new one in the place of the old, which is to be destroyed. */
export function supersede(
  vault: VaultRecords,
  dataClass: DataClass,
  ref: string,
  since: string,
): VaultRecords {
  const old = vault[dataClass];
  const superseded = old === null ? vault.superseded : [...vault.superseded, { ref: old, dataClass, since }];
  return { ...vault, [dataClass]: ref, superseded };
}

/** The replaced records that are left once a class was purged. */
export const recordsWithout = (vault: VaultRecords, purged: DataClass): VaultRecords["superseded"] =>
  vault.superseded.filter(({ dataClass }) => dataClass !== purged);

/** True while an event names a record of the class, replaced ones included. */
export function isAlive({ vault }: Order, dataClass: DataClass): boolean {
  const current =
    dataClass === "application"
      ? [vault.application, vault.signature]
      : [vault.contact, ...vault.groReferences, ...vault.notes];
  return (
    current.some((ref) => ref !== null) || vault.superseded.some((record) => record.dataClass === dataClass)
  );
}
