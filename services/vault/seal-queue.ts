import type { KeySlot } from "../../infra/key-ring/key-ring.ts";
import { faultOf } from "../../infra/postgres/postgres-errors.ts";
import { VaultBusy } from "./vault.ts";
import type { SealedRow } from "./vault-rows.ts";

type Waiting = { row: SealedRow; settle: (inserted: boolean) => void; fail: (error: unknown) => void };
type InsertRows = (rows: readonly SealedRow[]) => Promise<KeySlot[]>;

const mostWaiting = 4096;
const mostPerBatch = 256;

/**
 * Inserts records in batches: those of one request together, and those that arrive while a statement is in flight with
 * the next one, so many orders share one commit.
 * @returns whether the record was new
 * @throws VaultBusy when too many wait; then nothing was written
 */
export function createSealQueue(insert: InsertRows): (row: SealedRow) => Promise<boolean> {
  const waiting: Waiting[] = [];
  let working = false;

  async function work(): Promise<void> {
    working = true;
    // A request seals several records at once, and requests often come together: one turn of the loop gathers them.
    await new Promise((gathered) => setImmediate(gathered));
    while (waiting.length > 0) await insertBatch(insert, waiting.splice(0, mostPerBatch));
    working = false;
  }

  return (row) => {
    if (waiting.length >= mostWaiting) {
      return Promise.reject(
        new VaultBusy(`${mostWaiting} records wait to be sealed: try again in a moment.`),
      );
    }
    return new Promise<boolean>((settle, fail) => {
      waiting.push({ row, settle, fail });
      if (!working) void work();
    });
  };
}

/** Never throws: each waiting record gets its own outcome. */
async function insertBatch(insert: InsertRows, batch: readonly Waiting[]): Promise<void> {
  try {
    const inserted = new Set((await insert(batch.map(({ row }) => row))).map(nameOf));
    for (const { row, settle } of batch) settle(inserted.has(nameOf(row.slot)));
  } catch (error) {
    // One refused record must not fail the others. Where the database is away or busy, each would wait for it in turn.
    if (batch.length > 1 && faultOf(error) === "refused")
      for (const single of batch) await insertBatch(insert, [single]);
    else for (const { fail } of batch) fail(error);
  }
}

function nameOf({ segment, slot }: KeySlot): string {
  return `${segment}/${slot}`;
}
