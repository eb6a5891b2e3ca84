import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type EventStore, EventStoreUnreachable } from "../../../infra/event-store/event-store.ts";
import { withAppend } from "../../../testing/event-store/handler-fixture.ts";
import { settled } from "../../../testing/services/driven-clock.ts";
import {
  createEngineBench,
  ownMemory,
  sentOnce,
  slowMailer,
  withReads,
} from "../../../testing/services/engine-fixture.ts";
import { staff, ticketRequest, writer } from "../../../testing/services/ticket-fixture.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { placeAndSubmit } from "../../../testing/system/orders-fixture.ts";
import { openTicket, replyToTicket } from "../../tickets/write-in-ticket.ts";

const unreachable = () => new EventStoreUnreachable("No response.");

it("a task that is no longer due when its turn comes is left", async () => {
  const on = createEngineBench();
  const { deps } = on.bench;
  const released = Promise.withResolvers<void>();
  const destroy: typeof deps.vault.destroy = async (refs) => {
    await released.promise;
    return deps.vault.destroy(refs);
  };
  const worker = on.start({ deps: { ...deps, vault: { ...deps.vault, destroy } } });
  await settled();
  const key = { scope: "open-ticket", key: "a-key-of-sixteen-letters" };
  const { ticketId } = (await openTicket(deps, ticketRequest(), null, key, "a-request")).ticket;
  const close = () => {
    const command = {
      type: "ChangeTicketStatus",
      data: { status: "Closed", reason: "staffChoice" },
    } as const;
    return deps.tickets.execute({ ticketId, commandId: randomUUID(), by: staff, command });
  };
  await close();
  // As many as there are places for destruction.
  for (let nth = 0; nth < 8; nth += 1) await placeAndSubmit(deps);
  await on.pass(10, worker);
  on.time.skipWallClock(365 * 86_400);
  await on.pass(5, worker);
  await replyToTicket(deps, { ticketId, text: "One more question.", key: undefined, by: writer });
  await close();
  released.resolve();
  await on.pass(10, worker);
  const { ticket } = await deps.tickets.load(ticketId);
  expect([ticket.phase, ticket.purge.open, ticket.purge.purgedAt]).toEqual(["Closed", undefined, null]);
  await worker.engine.stop();
});

/** A log that takes every event but the record of a confirmation that has left. */
const withoutRecord = (isAway: () => boolean) => (store: EventStore) =>
  withAppend(store, async (request) => {
    if (isAway() && request.events.some(({ type }) => type === "ConfirmationSent")) throw unreachable();
    return store.append(request);
  });

it("a mail that has left, and could not be recorded, is recorded later and not sent again", async () => {
  let isAway = false;
  const on = createEngineBench({ wrapStore: withoutRecord(() => isAway) });
  const worker = on.start();
  await settled();
  const { orderId } = await placeAndSubmit(on.bench.deps);
  isAway = true;
  await on.pass(60, worker);
  expect(on.bench.mailer.sent).toHaveLength(1);
  isAway = false;
  await on.pass(20, worker);
  expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
  sentOnce(on);
  await worker.engine.stop();
});

it("a mail that has left keeps its place while our storage fails: the next one could not be recorded", async () => {
  let isAway = true;
  const on = createEngineBench({ wrapStore: withoutRecord(() => isAway) });
  const worker = on.start();
  await settled();
  for (let nth = 0; nth < 12; nth += 1) await placeAndSubmit(on.bench.deps);
  await on.pass(60, worker);
  expect(on.bench.mailer.sent).toHaveLength(8);
  isAway = false;
  await on.pass(30, worker);
  expect(on.bench.mailer.sent.filter(({ subject }) => subject === "confirmation")).toHaveLength(12);
  sentOnce(on);
  await worker.engine.stop();
});

it("a mail that has left is recorded by a worker that was asked to stop meanwhile", async () => {
  let isAway = true;
  const on = createEngineBench({ wrapStore: withoutRecord(() => isAway) });
  const worker = on.start();
  await settled();
  const { orderId } = await placeAndSubmit(on.bench.deps);
  await on.pass(2, worker);
  const stopped = worker.engine.stop();
  await on.time.pass(5);
  isAway = false;
  await on.time.pass(10);
  await stopped;
  expect(on.bench.mailer.sent).toHaveLength(1);
  expect(await on.bench.eventTypes(orderId)).toContain("ConfirmationSent");
});

it("a mail that could not be recorded is kept by its worker, whatever else failed meanwhile", async () => {
  const on = createEngineBench();
  const away = { reads: false, record: false };
  const store = withReads(withoutRecord(() => away.record)(on.bench.store), async () => {
    if (away.reads) throw unreachable();
  });
  const slow = slowMailer(on.bench.mailer);
  const owner = on.start({ ...ownMemory(on, store), isFollowing: () => false, mailer: slow.mailer });
  await settled();
  const { orderId } = await placeAndSubmit(on.bench.deps);
  await owner.follow();
  await settled();
  expect(slow.send).toHaveBeenCalledOnce();
  const other = on.start();
  // An event has it read the order again, in vain.
  away.reads = true;
  const command = { type: "RequestErasure", data: {} } as const;
  await on.bench.deps.orders.execute({ orderId, commandId: "erase", by: customer, command });
  await other.follow();
  await on.time.pass(2);
  away.reads = false;
  await on.time.pass(2);
  away.record = true;
  slow.release();
  await on.pass(10, other);
  away.record = false;
  await on.pass(20, other);
  expect(await on.bench.eventTypes(orderId)).toContain("ConfirmationSent");
  sentOnce(on);
  await Promise.all([owner.engine.stop(), other.engine.stop()]);
});

describe("A mail that has left, and whose record the log refuses", () => {
  const refusing = (isRefused: () => boolean) => (store: EventStore) =>
    withAppend(store, async (request) => {
      if (isRefused() && request.events.some(({ type }) => type === "ConfirmationSent"))
        throw new TypeError("Not now.");
      return store.append(request);
    });

  it("is recorded once it can be, and not sent again", async () => {
    let isRefused = true;
    const on = createEngineBench({ wrapStore: refusing(() => isRefused) });
    const worker = on.start();
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await on.pass(600, worker);
    expect(on.bench.mailer.sent).toHaveLength(1);
    isRefused = false;
    await on.pass(20, worker);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    sentOnce(on);
    await worker.engine.stop();
  });

  it("is recorded also if its order cannot be read meanwhile", async () => {
    const on = createEngineBench();
    let isRefused = true;
    const store = withReads(refusing(() => isRefused)(on.bench.store), async () => {
      if (isRefused && on.bench.mailer.sent.length > 0) throw new TypeError("Not now.");
    });
    const worker = on.start(ownMemory(on, store));
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await on.pass(60, worker);
    isRefused = false;
    await on.pass(20, worker);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    sentOnce(on);
    await worker.engine.stop();
  });

  it("keeps no place for mails, whatever their number", async () => {
    let isRefused = true;
    const on = createEngineBench({ wrapStore: refusing(() => isRefused) });
    const worker = on.start();
    await settled();
    for (let nth = 0; nth < 8; nth += 1) await placeAndSubmit(on.bench.deps);
    await on.pass(5, worker);
    await placeAndSubmit(on.bench.deps);
    await on.pass(5, worker);
    expect(on.bench.mailer.sent).toHaveLength(9);
    isRefused = false;
    await on.pass(30, worker);
    sentOnce(on);
    await worker.engine.stop();
  });

  it("keeps no worker from stopping", async () => {
    const on = createEngineBench({ wrapStore: refusing(() => true) });
    const worker = on.start();
    await settled();
    await placeAndSubmit(on.bench.deps);
    await on.pass(30, worker);
    await worker.engine.stop();
    expect(on.bench.mailer.sent).toHaveLength(1);
  });
});
