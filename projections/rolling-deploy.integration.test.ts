import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { orderIdOf } from "../domain/order/events.ts";
import type { EventStore, Position } from "../infra/event-store/event-store.ts";
import type { Pool } from "../infra/postgres/pool.ts";
import { type Happening, happenIn, randomOrders } from "../testing/projections/random-orders-fixture.ts";
import { openTestLog, type TestLog } from "../testing/projections/test-log-fixture.ts";
import { patienceMs, soon } from "../testing/setup/patience.ts";
import { catalogue, retired } from "./catalogue.ts";
import { totalPenceOf } from "./orders/order-record.ts";
import { ordersProjection } from "./orders/orders.ts";
import { type CataloguedProjection, catalogued } from "./runner/catalogued-projection.ts";
import { type Projection, schemaOf } from "./runner/projection.ts";
import { createProjections, type Projections } from "./runner/projections.ts";
import { rebuild } from "./runner/rebuild-projection.ts";
import { foldRows } from "./runner/table-writer.ts";
import { dropOldVersions } from "./runner/version-uses.ts";

// A deploy: processes of an old and a new build on one database at the same time. The old build is this code; the new
// one folds the orders by another rule, into another column.

type Counted = Parameters<typeof ordersProjection.table.row>[0] & { readonly changes: number };

const newOrders: Projection<Counted> = {
  ...ordersProjection,
  version: ordersProjection.version + 1,
  table: {
    ...ordersProjection.table,
    columns: { ...ordersProjection.table.columns, changes: "integer" },
    indexes: [...ordersProjection.table.indexes, { unique: false, on: "(changes)" }],
    // The changed rule: totals include a pound for postage.
    row: (state) => ({
      ...ordersProjection.table.row(state),
      total_pence: totalPenceOf(state.order) + 100,
      changes: state.changes,
    }),
  },
  fold: (state, event) => ({ ...ordersProjection.fold(state, event), changes: (state?.changes ?? 0) + 1 }),
};

const newCatalogue: readonly CataloguedProjection[] = catalogue.map((entry) =>
  entry.name === newOrders.name ? catalogued(newOrders) : entry,
);

let log: TestLog;
let pool: Pool;
let store: EventStore;
beforeEach(async () => {
  log = await openTestLog();
  ({ pool, store } = log);
});
afterEach(() => log.end());

/** A process of the deploy: one that folds, or one that only reads, as gateways do. */
async function start(build: readonly CataloguedProjection[], fold: boolean): Promise<Projections> {
  const projections = createProjections({
    pool,
    store,
    newId: randomUUID,
    now: () => new Date(),
    leaseMs: 400,
    fold,
    catalogue: build,
  });
  log.started.push(projections);
  await projections.start();
  return projections;
}

const ordersState = async (projections: Projections) =>
  (await projections.ready()).find(({ name }) => name === "orders")?.state;

const allReady = async (projections: Projections) =>
  (await projections.ready()).every(({ state }) => state === "ready");

/** Key, revision and the given columns, ordered by key. */
async function rowsOf<State>(projection: Projection<State>, columns: readonly string[]) {
  const { rows } = await pool.query<{ key: string }>(
    `select ${["key", "revision", ...columns].join(", ")} from ${schemaOf(projection)}.orders order by key`,
  );
  return rows;
}

/** The same rows folded from the log up to a position, without a database. */
async function foldOfLog<State>(projection: Projection<State>, columns: readonly string[], upTo?: Position) {
  const events = await store.readAll("", 100_000);
  const seen = events.filter(({ position }) => upTo === undefined || position <= upTo);
  return foldRows(projection, new Map(), seen)
    .map(({ key, revision, folded }) => {
      const row = projection.table.row(folded);
      return { key, revision, ...Object.fromEntries(columns.map((name) => [name, row[name]])) };
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Watches a reader of the old build: it must stay ready, show each awaited order, and never fewer than before. */
function watchReader(reader: Projections) {
  const seen = { wrong: new Set<string>(), looks: 0, stopped: false };
  let most = 0;
  async function look(): Promise<void> {
    for (const { name, state, reason } of await reader.ready())
      if (state !== "ready") seen.wrong.add(`${name} is ${state} (${reason})`);
    const now = new Date().toISOString();
    const page = await reader.queries.listOrders({
      filter: {},
      sort: "created",
      descending: true,
      limit: 200,
      now,
    });
    if (page.orders.length < most) seen.wrong.add("the list became shorter");
    most = Math.max(most, page.orders.length);
    seen.looks += 1;
  }
  const watching = (async () => {
    while (!seen.stopped)
      await look().catch((error: Error) => {
        seen.wrong.add(error.message);
      });
  })();
  return {
    seen,
    async stop() {
      seen.stopped = true;
      await watching;
      return [...seen.wrong];
    },
  };
}

/** Appends orders until stopped, each read back through the old reader. Returns those not seen. */
function keepOrdering(reader: Projections, firstSeed: number) {
  let stopped = false;
  const unseen: string[] = [];
  let written = 0;
  const ordering = (async () => {
    for (let seed = firstSeed; !stopped; seed++) {
      const order: readonly Happening[] = randomOrders(seed, 1, 6);
      await happenIn(store, order);
      const orderId = orderIdOf(order[0]?.stream ?? "") ?? "";
      const reached = await reader.waitFor(await store.head(), patienceMs);
      const [line] = await reader.queries.listedOrders([orderId]);
      if (!reached || line?.orderId !== orderId) unseen.push(orderId);
      written += 1;
    }
  })();
  return {
    async stop() {
      stopped = true;
      await ordering;
      return { unseen, written };
    },
  };
}

it("deploys a version that folds differently alongside the old one, while orders are written and read", async () => {
  await happenIn(store, randomOrders(1, 60));
  await start(catalogue, true);
  const oldReader = await start(catalogue, false);
  await vi.waitFor(async () => expect(await allReady(oldReader)).toBe(true), soon);
  const watch = watchReader(oldReader);
  const orders = keepOrdering(oldReader, 100);

  const newReader = await start(newCatalogue, false);
  expect(await ordersState(newReader)).toBe("catching-up");
  const asked = await store.head();
  // No process folds the new version yet: however far the old one gets, the new reader is not ready.
  await oldReader.waitFor(asked, patienceMs);
  await vi.waitFor(() => expect(watch.seen.looks).toBeGreaterThan(5), soon);
  expect(await ordersState(newReader)).toBe("catching-up");
  await start(newCatalogue, true);
  await vi.waitFor(async () => expect(await allReady(newReader)).toBe(true), soon);
  const atReady = await rowsOf(newOrders, ["changes"]);
  expect(atReady.length).toBeGreaterThanOrEqual((await foldOfLog(newOrders, [], asked)).length);

  const { unseen, written } = await orders.stop();
  expect(await watch.stop()).toEqual([]);
  expect(unseen).toEqual([]);
  expect(written).toBeGreaterThan(0);
  const end = await store.head();
  for (const reader of [oldReader, newReader]) expect(await reader.waitFor(end, patienceMs)).toBe(true);
  const old = ["cell", "total_pence"];
  expect(await rowsOf(ordersProjection, old)).toEqual(await foldOfLog(ordersProjection, old));
  const columns = [...old, "changes"];
  const rows = await rowsOf(newOrders, columns);
  expect(rows).toEqual(await foldOfLog(newOrders, columns));
  // The two rules differ on this log.
  expect(rows.map(({ key }) => key)).toEqual((await rowsOf(ordersProjection, [])).map(({ key }) => key));
  expect(await rowsOf(newOrders, old)).not.toEqual(await rowsOf(ordersProjection, old));
});

it("keeps the old version while any process folds or reads it, and drops it after the last", async () => {
  await happenIn(store, randomOrders(2, 10));
  const oldRunner = await start(catalogue, true);
  const oldReader = await start(catalogue, false);
  const newRunner = await start(newCatalogue, true);
  const drop = () => dropOldVersions(pool, newOrders);
  const kept = { dropped: [], stillUsed: [ordersProjection.version] };
  await vi.waitFor(async () => expect(await allReady(oldReader)).toBe(true), soon);
  expect(await drop()).toEqual(kept);
  // No longer folded, but still read: without its tables that reader would fail.
  await oldRunner.stop();
  expect(await drop()).toEqual(kept);
  expect((await oldReader.queries.countQueues(new Date().toISOString(), 10)).size).toBeGreaterThan(0);
  await oldReader.stop();
  // The new runner may just be taking over the subscription, and has not released the old version yet.
  const unused = { dropped: [ordersProjection.version], stillUsed: [] };
  await vi.waitFor(async () => expect(await drop()).toEqual(unused), soon);
  expect(await drop()).toEqual({ dropped: [], stillUsed: [] });
  await happenIn(store, randomOrders(3, 5));
  expect(await newRunner.waitFor(await store.head(), patienceMs)).toBe(true);
  expect(await rowsOf(newOrders, ["changes"])).toEqual(await foldOfLog(newOrders, ["changes"]));
});

it("takes over from a read model of another name, and drops it after the last process of the old build", async () => {
  const [replaced] = retired;
  if (!replaced) throw new Error("There are some.");
  const before = { ...ordersProjection, name: replaced.name, version: replaced.version - 1 };
  const oldBuild = catalogue.map((entry) =>
    entry.name === ordersProjection.name ? catalogued(before) : entry,
  );
  await happenIn(store, randomOrders(6, 10));
  const oldProcess = await start(oldBuild, true);
  expect(await oldProcess.waitFor(await store.head(), patienceMs)).toBe(true);
  const newProcess = await start(catalogue, true);
  expect(await dropOldVersions(pool, replaced)).toEqual({ dropped: [], stillUsed: [before.version] });
  await oldProcess.stop();
  await happenIn(store, randomOrders(7, 10));
  expect(await newProcess.waitFor(await store.head(), patienceMs)).toBe(true);
  expect(await rowsOf(ordersProjection, ["cell"])).toEqual(await foldOfLog(ordersProjection, ["cell"]));
  expect(await dropOldVersions(pool, replaced)).toEqual({ dropped: [before.version], stillUsed: [] });
  await expect(rowsOf(before, [])).rejects.toThrow("does not exist");
});

it("counts a killed process as gone after a minute of silence", async () => {
  const said = { name: ordersProjection.name, version: ordersProjection.version, process: "killed" };
  const heard = (until: string) =>
    pool.query(
      `insert into read_model_uses values ($1, $2, $3, clock_timestamp() + $4::interval)
       on conflict (name, version, process) do update set until = excluded.until`,
      [said.name, said.version, said.process, until],
    );
  const folded = await start(catalogue, true);
  await folded.stop();
  await heard("1 second");
  expect((await dropOldVersions(pool, newOrders)).stillUsed).toEqual([ordersProjection.version]);
  await heard("-1 second");
  expect((await dropOldVersions(pool, newOrders)).dropped).toEqual([ordersProjection.version]);
});

it("notices a version dropped under a reader (control)", async () => {
  await happenIn(store, randomOrders(4, 10));
  const runner = await start(catalogue, true);
  const reader = await start(catalogue, false);
  await vi.waitFor(async () => expect(await allReady(reader)).toBe(true), soon);
  await runner.stop();
  const watch = watchReader(reader);
  // As if the reader were silent: paused for longer than its registration lasts.
  await pool.query("delete from read_model_uses");
  expect((await dropOldVersions(pool, newOrders)).dropped).toEqual([ordersProjection.version]);
  await vi.waitFor(() => expect(watch.seen.wrong.size).toBeGreaterThan(1), soon);
  expect(await watch.stop()).toEqual(
    expect.arrayContaining(["orders is catching-up (null)", expect.stringContaining("does not exist")]),
  );
});

it("prepares the new version by a rebuild, so its readers are ready at once", async () => {
  await happenIn(store, randomOrders(5, 30));
  await start(catalogue, true);
  const oldReader = await start(catalogue, false);
  await vi.waitFor(async () => expect(await allReady(oldReader)).toBe(true), soon);
  const watch = watchReader(oldReader);
  await rebuild(newOrders, { pool, store, newId: randomUUID });
  const newReader = await start(newCatalogue, false);
  expect(await ordersState(newReader)).toBe("ready");
  expect(await watch.stop()).toEqual([]);
  expect(await rowsOf(newOrders, ["changes"])).toEqual(await foldOfLog(newOrders, ["changes"]));
});
