import type { OrderEventData } from "../../../domain/order/events.ts";
import { createPool } from "../../../infra/postgres/pool.ts";
import { type Emmett, emmettConnections, loadEmmett } from "./emmett.ts";
import { type Created, lookUpIn, newOrder, type OrderBody, type OrderService } from "./order-service.ts";

// Orders on Emmett: its command handler with a decider, and one inline projection. The event has what the product's
// has, with the contact details in place of references into the vault.

type OrderCreated = {
  readonly type: "OrderCreated";
  readonly data: Omit<OrderEventData<"OrderCreated">, "contactRef" | "signatureRef"> & {
    readonly contact: object;
    readonly signature: unknown;
  };
  readonly metadata: { readonly at: string };
};

type CreateOrder = {
  readonly type: "CreateOrder";
  readonly data: { readonly order: Created; readonly body: OrderBody };
  readonly metadata: { readonly at: string };
};

type OrderState = { readonly exists: boolean };

function decide({ data: { order, body }, metadata }: CreateOrder, state: OrderState): OrderCreated {
  if (state.exists) throw new Error("The order exists.");
  const { totalAmount, signature, termsVersion, consentVersion, ...contact } = body;
  const accepted = (version: unknown) =>
    typeof version === "number" ? { version, acceptedAt: metadata.at } : null;
  const { id, ...labels } = order;
  return {
    type: "OrderCreated",
    data: {
      orderId: id,
      ...labels,
      quotedTotalPence: Math.round(totalAmount * 100),
      terms: accepted(termsVersion),
      consent: accepted(consentVersion),
      contact,
      signature,
      certificateId: null,
    },
    metadata,
  };
}

const decider = { decide, evolve: () => ({ exists: true }), initialState: () => ({ exists: false }) };

export const emmettOrdersTable = "emmett_orders";

/** A row for each order. */
export const emmettProjection = ({ sql, postgreSQLRawSQLProjection }: Emmett) =>
  postgreSQLRawSQLProjection<OrderCreated>({
    name: "orders",
    canHandle: ["OrderCreated"],
    evolve: ({ data, metadata }) =>
      sql(
        `insert into ${emmettOrdersTable} (order_number, id, total_pence, created_at) values (%L, %L, %L, %L)`,
        data.orderNumber,
        data.orderId,
        data.quotedTotalPence,
        metadata.at,
      ),
    init: () =>
      sql(`create table if not exists ${emmettOrdersTable} (order_number text primary key, id uuid not null,
        total_pence integer not null, created_at timestamptz not null)`),
  });

type Place = { readonly emmett: string; readonly connectionString: string };

export async function emmettOrders({ emmett: folder, connectionString }: Place): Promise<OrderService> {
  const emmett = loadEmmett(folder);
  const pool = createPool(connectionString, emmettConnections);
  const store = emmett.getPostgreSQLEventStore(connectionString, {
    projections: [{ type: "inline", projection: emmettProjection(emmett) }],
    connectionOptions: { pool },
  });
  await store.schema.migrate();
  const handle = emmett.DeciderCommandHandler<OrderState, CreateOrder, OrderCreated>(decider);
  return {
    open: async (body) => {
      const order = newOrder();
      const metadata = { at: new Date().toISOString() };
      await handle(store, `order-${order.id}`, { type: "CreateOrder", data: { order, body }, metadata });
      return order;
    },
    lookUp: lookUpIn(pool, emmettOrdersTable),
    close: () => pool.end(),
  };
}
