import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { bounceKind, undeliverableBecause } from "../domain/mailbox.ts";
import { unreachedBy } from "../domain/order/mail-rules.ts";
import { phases } from "../domain/order/phases.ts";
import { workQueues } from "../domain/order/staff/work-queues.ts";
import { orderStatuses } from "../domain/order/status.ts";
import * as vocabulary from "../domain/order/vocabulary.ts";
import { ticketStream } from "../domain/ticket/events.ts";
import * as ticketVocabulary from "../domain/ticket/vocabulary.ts";
import type { StoredEvent } from "../infra/event-store/event-store.ts";
import { createPool, inTransaction, type Pool } from "../infra/postgres/pool.ts";
import {
  linked,
  noted,
  type TicketResult,
  ticketId,
  ticketIn,
  ticketPhases,
} from "../testing/domain/ticket-fixture.ts";
import { createMemoryEventStore } from "../testing/event-store/memory-event-store.ts";
import { testDatabase } from "../testing/postgres/test-database.ts";
import { happenIn, randomOrders } from "../testing/projections/random-orders-fixture.ts";
import { storedFrom } from "../testing/projections/stored-history-fixture.ts";
import { ordersProjection } from "./orders/orders.ts";
import { type Projection, schemaOf } from "./runner/projection.ts";
import { tablesOf } from "./runner/read-model-tables.ts";
import { packingOf } from "./runner/table-writer.ts";
import { ticketLookup } from "./tickets/ticket-lookup.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Values of the domain's closed lists, and those added by its state. */
const words: ReadonlySet<string> = new Set([
  ...Object.values(vocabulary).flatMap((list) => (list instanceof z.ZodEnum ? list.options.map(String) : [])),
  ...phases,
  ...orderStatuses,
  ...workQueues,
  ...["none", "owed", "pending", "issued", "failed", "fulfilled", "open", "approved", "declined"],
  ...["lapsed", "card", "bankTransfer", "refund", "disputeOutcome", "undeliverable"],
  ...[...undeliverableBecause.options, ...bounceKind.options, ...unreachedBy],
  ...Object.values(ticketVocabulary).flatMap((list) =>
    list instanceof z.ZodEnum ? list.options.map(String) : [],
  ),
  ...ticketPhases,
  "sent",
]);

/** The only other shapes of text in a read model. None can hold personal data. */
const shapes: readonly RegExp[] = [
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, // our id, or a vault record's
  /^order-[0-9a-f-]{36}-(submission|refund)-\d+$/,
  /^(pi|du|re)_[A-Za-z0-9]+$/, // the payment provider's ids
  /^[0-9a-f]{64}$/, // a key's fingerprint
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00))?$/,
  /^([0-9A-Z]{4}-){2}[0-9A-Z*~$=]{5}$/, // an order number
  /^T-([0-9A-Z]{4}-){2}[0-9A-Z*~$=]{5}$/, // a ticket number
  /^staff_\d+$/, // the identity provider's id of staff
  /^REF-\d{4}-\d{1,3}$/,
  /^(Birth|Death|Marriage|Adoption) Certificate × [1-5]$/,
  /^(We received your (order|payment)|Your application was sent to the General Register Office)$/,
  /^Your sensitive data was deleted(, \d+ seconds? after submission)?$/,
  /^The General Register Office (has a question about your application|despatched your certificate)$/,
  /^(We have completed our part of your order|Your order (was cancelled|could not be completed))$/,
  /^The record was not found, so your order could not be completed$/,
  /^We refunded £[\d,]+\.\d\d( by bank transfer)?$/,
  /^(Our bank transfer to you came back|You told us that your certificate has arrived)$/,
];

function textsIn(value: unknown): string[] {
  // An order's answer is stored as JSON.
  if (typeof value === "string") return value.startsWith("[") ? textsIn(JSON.parse(value)) : [value];
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  return [];
}

const oddTexts = (rows: readonly unknown[]): string[] => [
  ...new Set(textsIn(rows).filter((text) => !words.has(text) && !shapes.some((shape) => shape.test(text)))),
];

async function ofRandomOrders(): Promise<StoredEvent[]> {
  const store = createMemoryEventStore();
  await happenIn(store, randomOrders(31, 200, 25));
  return store.readAll("", 100_000);
}

async function rowsWritten<State>(
  projection: Projection<State>,
  events: readonly StoredEvent[],
): Promise<unknown[]> {
  const tables = tablesOf(projection);
  await inTransaction(pool, async (client) => {
    await tables.create(client);
    await tables.apply(client, events);
  });
  const { unpack } = packingOf<State>(projection.table);
  const { rows } = await pool.query<Record<string, unknown> & { folded: State | Buffer }>(
    `select * from ${schemaOf(projection)}.${projection.table.name}`,
  );
  return rows.map((row) => Object.values({ ...row, folded: unpack(row) }));
}

it("writes no text to the orders that could be personal data", async () => {
  const rows = await rowsWritten(ordersProjection, await ofRandomOrders());
  expect(rows).toHaveLength(200);
  expect(oddTexts(rows)).toEqual([]);
});

it("writes no text to the tickets that could be personal data", async () => {
  const everything: TicketResult[] = [
    ...ticketIn.Waiting,
    [noted, 200],
    [{ type: "TicketAssigned", data: { assignee: "staff_2" } }, 201],
    [linked, 202],
    [{ type: "PurgeFailed", data: { code: "stillReadable", attempt: 1 } }, 203],
  ];
  const rows = await rowsWritten(ticketLookup, storedFrom(everything, ticketStream(ticketId)));
  expect(rows).toHaveLength(1);
  expect(oddTexts(rows)).toEqual([]);
});

it("would find personal data (control)", () => {
  const typed = ["Smith", "Siân Wójcik", "sian@example.org", "12 High Street", "07700 900123", "NG1 5AW"];
  expect(oddTexts([{ answer: { deep: [typed] } }])).toEqual(typed);
});
