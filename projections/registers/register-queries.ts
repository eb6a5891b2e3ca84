import type { Pool } from "../../infra/postgres/pool.ts";
import { idsAmong, ordersProjection } from "../orders/orders.ts";
import { type Projection, schemaOf } from "../runner/projection.ts";
import { packingOf } from "../runner/table-writer.ts";
import { ticketLookup } from "../tickets/ticket-lookup.ts";
import { type AccessEntry, accessLog } from "./access-log.ts";
import { type PurgeEntry, purgeRegister } from "./purge-register.ts";

/** An entry of a register, with the number of its order or ticket; null when that is not folded yet. */
export type Numbered<Entry> = Entry & { readonly number: string | null };

/** Where a page ended. */
export type RegisterCursor = { readonly at: string; readonly eventId: string };

/** Newest first; `next` is null when nothing follows. */
export type RegisterPage<Entry> = {
  readonly entries: readonly Numbered<Entry>[];
  readonly next: RegisterCursor | null;
};

type PageRequest = {
  /** ISO 8601: from the first, before the second. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly after?: RegisterCursor | undefined;
  /** 1 to 1,000; 50 by default. */
  readonly limit?: number | undefined;
};

type PurgesRequest = PageRequest & {
  readonly dataClass?: PurgeEntry["dataClass"] | undefined;
  readonly rule?: NonNullable<PurgeEntry["rule"]> | undefined;
  /** One entry. */
  readonly eventId?: string | undefined;
  /** Only late or failed purges, and receipts that did not arrive. */
  readonly troubled?: boolean | undefined;
};

type LooksRequest = PageRequest & {
  readonly staffId?: string | undefined;
  readonly reason?: AccessEntry["reason"] | undefined;
};

export type RegisterQueries = {
  listPurges(request: PurgesRequest): Promise<RegisterPage<PurgeEntry>>;
  listLooks(request: LooksRequest): Promise<RegisterPage<AccessEntry>>;
  /** Order and ticket numbers by id; those not folded yet are omitted. */
  numbersOf(subjectIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
};

const mostPerPage = 1_000;

/** Queries of the two compliance registers. */
export function registerQueries(pool: Pool): RegisterQueries {
  return {
    listPurges: ({ dataClass, rule, eventId, troubled, ...page }) =>
      pageOf<PurgeEntry>(pool, purgeRegister, page, [
        ["data_class =", dataClass],
        ["rule =", rule],
        ["key =", eventId],
        ["(late or outcome <> 'purged') =", troubled ? true : undefined],
      ]),
    listLooks: ({ staffId, reason, ...page }) =>
      pageOf<AccessEntry>(pool, accessLog, page, [
        ["staff_id =", staffId],
        ["reason =", reason],
      ]),
    async numbersOf(subjectIds) {
      const { rows } = await pool.query<{ key: string; number: string }>(
        `select key::text, order_number as number from ${tableOf(ordersProjection)} where key = any($1)
         union all select key, ticket_number from ${tableOf(ticketLookup)} where key = any($2)`,
        [idsAmong(subjectIds), subjectIds],
      );
      return new Map(rows.map(({ key, number }) => [key, number]));
    },
  };
}

/** What a column is compared with; undefined omits the comparison. */
type Comparison = readonly [string, unknown];

async function pageOf<Entry extends { readonly eventId: string; readonly at: string }>(
  pool: Pool,
  register: Projection<Entry>,
  { from, to, subjectId, after, limit = 50 }: PageRequest,
  comparisons: readonly Comparison[],
): Promise<RegisterPage<Entry>> {
  const perPage = Math.min(Math.max(Math.trunc(limit), 1), mostPerPage);
  const values: unknown[] = [perPage + 1];
  const given: Comparison[] = [...comparisons, ["at >=", from], ["at <", to], ["subject_id =", subjectId]];
  const conditions = given
    .filter(([, value]) => value !== undefined)
    .map(([comparison, value]) => `${comparison} $${values.push(value)}`);
  if (after) {
    const [at, key] = [values.push(after.at), values.push(after.eventId)];
    conditions.push(`(at, key) < ($${at}::timestamptz, $${key}::uuid)`);
  }
  const where = conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";
  const { columns, unpack } = packingOf<Entry>(register.table);
  const { rows } = await pool.query<{ folded: Entry | Buffer; number: string | null }>(
    `select ${columns.map((column) => `page.${column}`).join(", ")}, coalesce(orders.order_number, tickets.ticket_number) as number
     from (select * from ${tableOf(register)} ${where}
           order by at desc, key desc limit $1) page
     left join ${tableOf(ordersProjection)} orders on orders.key = page.subject_id
     left join ${tableOf(ticketLookup)} tickets on tickets.key = page.subject_id::text
     order by page.at desc, page.key desc`,
    values,
  );
  const entries = rows.slice(0, perPage).map((row) => ({ ...unpack(row), number: row.number }));
  const last = entries.at(-1);
  return {
    entries,
    next: last && rows.length > perPage ? { at: last.at, eventId: last.eventId } : null,
  };
}

const tableOf = <State>(projection: Projection<State>): string =>
  `${schemaOf(projection)}.${projection.table.name}`;
