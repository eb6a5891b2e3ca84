import type { Client } from "../../../infra/postgres/pool.ts";
import { evolveRecord, type OrderRecord } from "../../../projections/orders/order-record.ts";
import { ordersProjection } from "../../../projections/orders/orders.ts";
import { schemaOf } from "../../../projections/runner/projection.ts";
import { tablesOf } from "../../../projections/runner/read-model-tables.ts";
import { TableWriter } from "../../../projections/runner/table-writer.ts";
import { LifeToCopy, orderMarksOf, pastLife } from "../../../services/operations/seed/copied-lives.ts";
import { type Ending, eventMark } from "../../../services/operations/seed/life-steps.ts";
import { pickWeighted, seededRandom } from "../../../services/operations/seed/seeded-random.ts";
import { idDeriver } from "../../../services/vault/vault.ts";

type Fill = { readonly orders: number; readonly seed: number; readonly now: string };

const dayMs = 86_400_000;
const lives = 400;
const perBatch = 5_000;
/** Orders are spread over two years; the newest are in progress. */
const spreadDays = 730;
/** Of ten orders, the first three are paid for together. */
const perTen = 3;
/** Of a thousand submitted orders, this many were never despatched: the overdue ones. */
const stuckPerThousand = 6;

/** Rows of invented orders, as the projection would have folded them, written by its COPY. */
export async function fillOrderList(client: Client, { orders, seed, now }: Fill): Promise<void> {
  const random = seededRandom(seed);
  const deriveId = idDeriver(Buffer.alloc(32, seed));
  const copies = Array.from({ length: lives }, () => {
    const ending = pickWeighted<Ending>(random, [
      ["fulfilled", 88],
      ["expired", 6],
      ["cancelled", 3],
      ["failed", 1],
      ["notFound", 2],
    ]);
    const lived = pastLife(random, ending, 365);
    const first = Date.parse(lived[0]?.at ?? "");
    return {
      life: new LifeToCopy(lived, recordsOf(lived)),
      offsets: lived.map(({ at }) => Date.parse(at) - first),
      submitted: lived.findIndex(({ event }) => event.type === "SensitiveDataPurged") + 1,
      isFulfilled: ending === "fulfilled",
    };
  });
  const tables = tablesOf(ordersProjection);
  await tables.createTable(client);
  const writer = new TableWriter<OrderRecord>(schemaOf(ordersProjection), ordersProjection.table);
  const nowMs = Date.parse(now);

  const anyLife = () => ({
    chosen: copies[Math.floor(random() * lives)],
    startMs: nowMs - Math.floor(random() * spreadDays * dayMs) - 1,
  });
  let shared = anyLife();

  function rowOf(nth: number) {
    const isTogether = nth % 10 < perTen;
    const isAnother = isTogether && nth % 10 > 0;
    if (!isAnother) shared = anyLife();
    const { chosen, startMs } = shared;
    if (!chosen) throw new Error("There are lives.");
    const marks = orderMarksOf(deriveId, seed, nth, startMs, chosen.life.length);
    const lived = chosen.offsets.filter((offset) => startMs + offset <= nowMs).length;
    const isStuck = chosen.isFulfilled && lived > chosen.submitted && random() * 1000 < stuckPerThousand;
    const events = isStuck ? chosen.submitted : lived;
    const record: OrderRecord = JSON.parse(chosen.life.recordAfter(marks, events));
    const folded = troubled(record, isStuck, random);
    return {
      ...ordersProjection.table.row(folded),
      ...(isTogether && { checkout_id: deriveId("checkout", `${Math.floor(nth / 10)}`) }),
      ...{ key: marks.orderId, revision: events - 1, folded },
    };
  }

  for (let done = 0; done < orders; done += perBatch) {
    const rows = Array.from({ length: Math.min(perBatch, orders - done) }, (_, n) => rowOf(done + n));
    await writer.write(client, rows, []);
  }
  // As in a rebuild.
  await tables.createIndexes(client);
}

/** What the projection folds after each event of a life. */
function recordsOf(lived: ReturnType<typeof pastLife>): OrderRecord[] {
  const records: OrderRecord[] = [];
  for (const [revision, { event, at }] of lived.entries())
    records.push(evolveRecord(records.at(-1), event, { eventId: eventMark(revision), at, revision }));
  return records;
}

/** Some stuck orders are in other queues too. */
function troubled(record: OrderRecord, isStuck: boolean, random: () => number): OrderRecord {
  if (!isStuck || random() < 0.5) return record;
  const { order, updatedAt } = record;
  const failure = { failures: 1, failedAt: updatedAt };
  const troubles: readonly OrderRecord["order"][] = [
    { ...order, outcome: { outcome: "queried", at: updatedAt } },
    { ...order, purges: { ...order.purges, contact: { ...order.purges.contact, ...failure } } },
    {
      ...order,
      refunds: [
        {
          refundId: `order-${order.orderId}-refund-1`,
          providerRefundId: null,
          intentId: order.payments[0]?.intentId ?? "",
          amountPence: 500,
          reason: "staffDecision",
          status: "pending",
          proposal: null,
          way: "card",
          at: updatedAt,
        },
      ],
    },
  ];
  return { ...record, order: troubles[Math.floor(random() * troubles.length)] ?? order };
}
