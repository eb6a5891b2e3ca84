import type { z } from "zod";
import { RecordGone, type Vault } from "./vault.ts";

/** Opens a record, or answers undefined when there is none to open: never sealed, or destroyed since. @throws RecordUnreadable */
export async function openIfThere<T>(
  vault: Vault,
  recordId: string | null,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  if (recordId === null) return undefined;
  try {
    return await vault.open(recordId, schema);
  } catch (error) {
    if (error instanceof RecordGone) return undefined;
    throw error;
  }
}
