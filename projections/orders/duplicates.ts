import type { Pool } from "../../infra/postgres/pool.ts";
import { idsAmong, ordersTable } from "./orders.ts";

/** Another order that is paid for and, as far as is known, for the same certificate. */
export type DuplicateOrder = {
  readonly orderId: string;
  readonly orderNumber: string;
  /** ISO 8601 in UTC. */
  readonly paidAt: string;
};

export type DuplicateQueries = {
  /** The possible duplicates of each order, newest first and ten at most; those without are left out. */
  duplicatesOf(orderIds: readonly string[]): Promise<ReadonlyMap<string, readonly DuplicateOrder[]>>;
};

type Row = {
  readonly of: string;
  readonly key: string;
  readonly order_number: string;
  readonly paid_at: Date;
};

/** Orders that share an id of a certificate; those that are not paid for have none in the table. */
const text = `select own.key as of, other.key, other.order_number, other.paid_at
  from ${ordersTable} own cross join lateral (
    select key, order_number, paid_at from ${ordersTable} any_order
    where any_order.certificate_ids && own.certificate_ids and any_order.key <> own.key
    order by paid_at desc, key desc limit 10
  ) other
  where own.key = any($1) and own.certificate_ids is not null
  order by other.paid_at desc, other.key desc`;

/** The condition on a row of the table that another order shares an id of its certificate. @param row the row's alias */
export const isDuplicate = (row: string): string => `${row}.certificate_ids is not null and exists (
  select 1 from ${ordersTable} other
  where other.certificate_ids && ${row}.certificate_ids and other.key <> ${row}.key)`;

export function duplicateQueries(pool: Pool): DuplicateQueries {
  return {
    async duplicatesOf(orderIds) {
      const { rows } = await pool.query<Row>({ name: "duplicates", text, values: [idsAmong(orderIds)] });
      const found = Map.groupBy(rows, (row) => row.of);
      return new Map([...found].map(([orderId, others]) => [orderId, others.map(duplicateOf)]));
    },
  };
}

const duplicateOf = ({ key, order_number, paid_at }: Row): DuplicateOrder => ({
  orderId: key,
  orderNumber: order_number,
  paidAt: paid_at.toISOString(),
});
