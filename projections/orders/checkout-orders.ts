import type { Pool } from "../../infra/postgres/pool.ts";
import { type EntryRow, entryColumns, entryOf, type OrderListEntry } from "./order-list-columns.ts";
import { ordersTable } from "./orders.ts";

/** An order of a checkout: its line of the list, with what it had of payments and what of that went back, in pence. */
export type CheckoutOrder = OrderListEntry & {
  readonly capturedPence: number;
  readonly wentBackPence: number;
};

export type CheckoutQueries = {
  /** The orders that are, or were to be, paid for together, oldest first. */
  ordersOfCheckout(checkoutId: string): Promise<readonly CheckoutOrder[]>;
};

type Row = EntryRow & { readonly captured_pence: number; readonly went_back_pence: number };

export function checkoutQueries(pool: Pool): CheckoutQueries {
  return {
    async ordersOfCheckout(checkoutId) {
      const { rows } = await pool.query<Row>({
        name: "orders-of-checkout",
        text: `select ${entryColumns}, captured_pence, went_back_pence from ${ordersTable}
          where checkout_id = $1 order by created_at, key`,
        values: [checkoutId],
      });
      return rows.map((row) => ({
        ...entryOf(row),
        capturedPence: row.captured_pence,
        wentBackPence: row.went_back_pence,
      }));
    },
  };
}
