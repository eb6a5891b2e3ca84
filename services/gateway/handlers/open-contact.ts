import { type ContactRecord, contactRecord } from "../../../domain/forms/sealed-records.ts";
import { RecordGone, type Vault } from "../../vault/vault.ts";

/** Who ordered; null once the record was purged, which the read model may learn a moment later than the vault. */
export async function openContact(vault: Vault, contactRef: string | null): Promise<ContactRecord | null> {
  if (contactRef === null) return null;
  try {
    return await vault.open(contactRef, contactRecord);
  } catch (error) {
    if (error instanceof RecordGone) return null;
    throw error;
  }
}
