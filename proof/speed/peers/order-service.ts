import { randomBytes, randomInt, randomUUID } from "node:crypto";
import express, { type Express } from "express";
import type pg from "pg";
import { z } from "zod";
import type { createdAnswer } from "../../../contract/orders/ordering.ts";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { orderNumberOf, orderReference } from "../../../domain/numbers.ts";
import { trackedOrder } from "../../../testing/pages/tracked-order.ts";

// What the peers have in common: the product's requests and answers, without its checks, seals and limits.

export type Created = z.output<typeof createdAnswer>;

/** The columns of an order that a lookup reads. */
export type OrderRow = {
  readonly orderNumber: string;
  readonly totalPence: number;
  readonly createdAt: Date;
};

export type OrderService = {
  readonly open: (body: OrderBody) => Promise<Created>;
  readonly lookUp: (orderNumber: string) => Promise<OrderRow | undefined>;
  readonly close: () => Promise<void>;
};

const orderBody = z.looseObject({ contactFullName: z.string(), email: z.string(), totalAmount: z.number() });
export type OrderBody = z.output<typeof orderBody>;
const lookupBody = z.object({ orderNumber: z.string() });

export const newOrder = (): Created => ({
  id: randomUUID(),
  orderNumber: orderNumberOf(randomBytes(8).readBigUInt64BE()),
  reference: orderReference(new Date().getUTCFullYear(), randomInt(1000)),
});

/** Reads an order by its number, which is unique in the table. */
export const lookUpIn =
  (pool: pg.Pool, table: string): OrderService["lookUp"] =>
  async (orderNumber) => {
    const { rows } = await pool.query<OrderRow>({
      name: "lookup",
      text: `select order_number as "orderNumber", total_pence as "totalPence", created_at as "createdAt"
        from ${table} where order_number = $1`,
      values: [orderNumber],
    });
    return rows[0];
  };

/** The product's answer about an order that was only opened, so that all servers write as many bytes. */
function lookupAnswerOf(row: OrderRow): TrackedOrder {
  const createdAt = row.createdAt.toISOString();
  return {
    ...trackedOrder,
    orderNumber: row.orderNumber,
    status: "Pending",
    createdAt,
    total: row.totalPence / 100,
    statusHistory: [{ status: "Pending", text: "We received your order", timestamp: createdAt }],
    lastUpdated: createdAt,
    promise: null,
  };
}

export function appOf(service: OrderService): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(express.json());
  app.post("/api/orders", async (request, response) => {
    response.status(201).json(await service.open(orderBody.parse(request.body)));
  });
  app.post("/api/orders/lookup", async (request, response) => {
    const row = await service.lookUp(lookupBody.parse(request.body).orderNumber);
    if (row === undefined) response.sendStatus(404);
    else response.json(lookupAnswerOf(row));
  });
  return app;
}

/** Express alone: it answers as many bytes, and keeps nothing. */
export function bareApp(): Express {
  const answer = JSON.stringify(lookupAnswerOf({ ...newOrder(), totalPence: 4500, createdAt: new Date() }));
  const app = express();
  app.disable("x-powered-by");
  app.use(express.json());
  app.post("/api/orders", (_request, response) => void response.status(201).json(newOrder()));
  app.get("/bare", (_request, response) => void response.type("json").send(answer));
  return app;
}
