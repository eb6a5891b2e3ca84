import { z } from "zod";
import type { Pool } from "../../../infra/postgres/pool.ts";

const row = z
  .object({ subject_id: z.uuid(), name: z.string(), kind: z.string(), due_at: z.date(), tries: z.int() })
  .transform(({ subject_id, due_at, ...rest }) => ({
    ...rest,
    subjectId: subject_id,
    dueAt: due_at.toISOString(),
  }));

/** A purge due for an order or a ticket. `dueAt` is ISO 8601 in UTC; `tries` counts failed attempts. */
export type OutstandingPurge = z.output<typeof row>;

export const outstandingPurges =
  (pool: Pool) =>
  async (limit: number): Promise<readonly OutstandingPurge[]> => {
    const { rows } = await pool.query(
      `select subject_id, name, kind, due_at, tries from duties
       where kind in ('purge', 'destroyRecord') order by due_at, subject_id, name limit $1`,
      [limit],
    );
    return z.array(row).parse(rows);
  };
