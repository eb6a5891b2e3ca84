import { randomUUID } from "node:crypto";
import { once } from "node:events";
import express from "express";
import pg from "pg";
import { z } from "zod";

// A peer of the gateway: plain Express on plain pg, and Express alone. It checks nothing, seals nothing and has no
// rate limits. A process of its own, because an event loop shared with the gateway would measure neither.

/** More were slower on two cores. */
const connections = 16;

const [message] = await once(process, "message");
const { connectionString } = z.object({ connectionString: z.string() }).parse(message);
const pool = new pg.Pool({ connectionString, max: connections });

await pool.query(`
  create table if not exists plain_orders (
    id uuid primary key, order_number text not null unique, status text not null, total_pence integer not null,
    created_at timestamptz not null default now(), answer jsonb);
  create table if not exists plain_contacts (
    order_id uuid primary key references plain_orders, full_name text not null, email text not null,
    contact jsonb not null)`);

const orderBody = z.object({ contactFullName: z.string(), email: z.string(), totalAmount: z.number() });

async function createOrder(body: unknown): Promise<object> {
  const given = orderBody.loose().parse(body);
  const [id, orderNumber] = [randomUUID(), randomUUID()];
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query({
      name: "order",
      text: "insert into plain_orders (id, order_number, status, total_pence) values ($1, $2, 'Pending', $3)",
      values: [id, orderNumber, Math.round(given.totalAmount * 100)],
    });
    await client.query({
      name: "contact",
      text: "insert into plain_contacts (order_id, full_name, email, contact) values ($1, $2, $3, $4)",
      values: [id, given.contactFullName, given.email, JSON.stringify(given)],
    });
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
  return { id, orderNumber };
}

/** The gateway's own answer to a lookup, so that all servers write as many bytes. */
let answer = "{}";

async function keepAnswer(body: unknown): Promise<object> {
  answer = JSON.stringify(body);
  const id = randomUUID();
  await pool.query(
    "insert into plain_orders (id, order_number, status, total_pence, answer) values ($1, $2, 'Pending', 0, $3)",
    [id, id, answer],
  );
  return { orderNumber: id };
}

async function lookUp(orderNumber: string): Promise<unknown> {
  const { rows } = await pool.query<{ answer: unknown }>({
    name: "lookup",
    text: "select answer from plain_orders where order_number = $1",
    values: [orderNumber],
  });
  return rows[0]?.answer;
}

const app = express();
app.disable("x-powered-by");
app.use(express.json());
app.post("/plain/orders", async (request, response) => void response.json(await createOrder(request.body)));
app.post("/plain/answer", async (request, response) => void response.json(await keepAnswer(request.body)));
app.post("/plain/lookup", async (request, response) => {
  const { orderNumber } = z.object({ orderNumber: z.string() }).parse(request.body);
  response.json(await lookUp(orderNumber));
});
app.post("/bare", (_request, response) => void response.json({ ok: true }));
app.get("/bare", (_request, response) => void response.type("json").send(answer));

const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.send?.({ port: address.port });
});
process.once("disconnect", () => {
  server.closeAllConnections();
  server.close();
  void pool.end();
});
