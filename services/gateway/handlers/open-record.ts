import type { z } from "zod";
import { RecordGone, type Vault } from "../../vault/vault.ts";

/** A record that an order names; null once it was purged, which the order may learn a moment later than the vault. */
export async function openRecord<Record>(
  vault: Vault,
  ref: string | null,
  schema: z.ZodType<Record>,
): Promise<Record | null> {
  if (ref === null) return null;
  try {
    return await vault.open(ref, schema);
  } catch (error) {
    if (error instanceof RecordGone) return null;
    throw error;
  }
}
