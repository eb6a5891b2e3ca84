import { createPool, inTransaction } from "../../../infra/postgres/pool.ts";
import { lookUpIn, newOrder, type OrderService } from "./order-service.ts";

// Orders as plain rows, without events: two inserts in one transaction, and one select.

export async function plainOrders({
  connectionString,
}: {
  readonly connectionString: string;
}): Promise<OrderService> {
  const pool = createPool(connectionString);
  await pool.query(`
    create table if not exists plain_orders (
      id uuid primary key, order_number text not null unique, status text not null, total_pence integer not null,
      created_at timestamptz not null default now());
    create table if not exists plain_contacts (
      order_id uuid primary key references plain_orders, full_name text not null, email text not null,
      contact jsonb not null)`);
  return {
    open: async (body) => {
      const order = newOrder();
      await inTransaction(pool, async (client) => {
        await client.query({
          name: "order",
          text: "insert into plain_orders (id, order_number, status, total_pence) values ($1, $2, 'Pending', $3)",
          values: [order.id, order.orderNumber, Math.round(body.totalAmount * 100)],
        });
        await client.query({
          name: "contact",
          text: "insert into plain_contacts (order_id, full_name, email, contact) values ($1, $2, $3, $4)",
          values: [order.id, body.contactFullName, body.email, JSON.stringify(body)],
        });
      });
      return order;
    },
    lookUp: lookUpIn(pool, "plain_orders"),
    close: () => pool.end(),
  };
}
