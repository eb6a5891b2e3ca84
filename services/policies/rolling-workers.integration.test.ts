import { expect, it, vi } from "vitest";
import { Refused } from "../../domain/decider.ts";
import { orderDecider } from "../../domain/order/decide.ts";
import { orderEventSchema, orderEventSchemas, orderStream } from "../../domain/order/events.ts";
import { exists, type OrderState } from "../../domain/order/state.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import { listParked } from "../../infra/following/parked-streams.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndPay } from "../../testing/system/orders-fixture.ts";
import { openTestSystem, type TestSystem } from "../../testing/system/test-system.ts";
import {
  type CommandBusDependencies,
  type CommandResult,
  createCommandBus,
  type Loaded,
} from "../command-bus.ts";
import type { OrderResult, Orders } from "../orders/orders.ts";
import { addNote } from "../orders/staff/staff-actions.ts";
import { policyFollowers } from "./policies.ts";

// A worker of an old build runs alongside a new one: one checkpoint, one queue, one task list.

const { NoteAdded: _new, ...typesOfOldBuild } = orderEventSchemas;

/** Orders as read by a build that does not know notes. */
function ordersOfOldBuild(ground: CommandBusDependencies): Orders {
  const bus = createCommandBus(ground, {
    decider: orderDecider,
    eventTypes: typesOfOldBuild,
    parseEvent: (event) => orderEventSchema.parse(event),
    streamOf: orderStream,
    starts: ({ type }) => type === "CreateOrder",
  });
  return {
    execute: async ({ orderId, ...request }) => existing(await bus.execute(orderId, request)),
    load: async (orderId) => existingLoaded(await bus.load(orderId)),
    lastSeen: async (orderId, since) => existingLoaded(await bus.lastSeen(orderId, since)),
    head: () => ground.store.head(),
    knows: bus.knows,
  };
}

const existingLoaded = (loaded: Loaded<OrderState>) => ({ ...existing(loaded), cause: loaded.cause });

function existing({ state, revision, position }: CommandResult<OrderState>): OrderResult {
  if (exists(state) && revision !== "none") return { order: state, revision, position };
  throw new Refused({ code: "unknown-order", phase: state.phase, rule: "unknown-order" });
}

async function seePurged(system: TestSystem, orderIds: readonly string[]): Promise<void> {
  for (const orderId of orderIds)
    await vi.waitFor(
      async () => expect(await system.eventTypes(orderId)).toContain("SensitiveDataPurged"),
      soon,
    );
}

/** A paid order with a note, which the old build cannot read. */
async function placeWithNote(system: TestSystem): Promise<string> {
  const { orderId } = await placeAndPay(system.deps);
  await addNote(system.deps, orderId, "Rang twice.", {
    by: { userId: "ann" },
    reason: "customerAsked",
    correlationId: "a-click",
  });
  return orderId;
}

async function seeDoneOnce(system: TestSystem, orderIds: readonly string[]): Promise<void> {
  for (const orderId of orderIds) {
    await vi.waitFor(async () => expect((await system.order(orderId)).mails.owed).toEqual([]), soon);
    const types = (await system.eventTypes(orderId)).filter((type) => type !== "MailSent");
    expect(types.length, "one event of each type").toBe(new Set(types).size);
  }
  const { automation, mailer } = system.around;
  expect(automation.sent.map(({ key }) => key).sort()).toEqual([...automation.accepted.keys()].sort());
  expect(automation.sent).toHaveLength(orderIds.length);
  const mails = mailer.sent.map(({ messageId }) => messageId);
  expect(mails.length).toBe(new Set(mails).size);
}

it("an old worker parks what it cannot read and a new one resumes it, losing and repeating nothing", async () => {
  await using system = await openTestSystem();
  const { connectionString } = system.database;
  await using closing = new AsyncDisposableStack();
  const store = createPostgresEventStore({ pool: system.pool, connectionString });
  closing.defer(() => store.close());
  const orders = ordersOfOldBuild({ store, random: Math.random, now: system.deps.now });
  // It seals before it appends.
  const { recordsOfAppend: _unknown, ...vault } = system.deps.vault;
  const old = await system.begin({ deps: { ...system.deps, orders, vault } });
  const parked = async () => (await listParked(system.pool, policyFollowers, 10)).map(({ stream }) => stream);
  const { orderId: known } = await placeAndPay(system.deps);
  await seePurged(system, [known]);

  const noted = await placeWithNote(system);
  // Other orders do not wait for it.
  const { orderId: after } = await placeAndPay(system.deps);
  await seePurged(system, [after]);
  expect(await parked()).toEqual([orderStream(noted)]);

  await system.begin();
  const more = [await placeWithNote(system), (await placeAndPay(system.deps)).orderId];
  // The old worker takes jobs meanwhile, and leaves alone those it cannot read.
  await old.stop();
  await vi.waitFor(async () => expect(await parked()).toEqual([]), soon);
  // What it postponed is due again.
  system.skip(20);
  const all = [known, noted, after, ...more];
  await seePurged(system, all);
  await seeDoneOnce(system, all);
});

it("a new worker with the same rules takes over the checkpoint, and each task is done once", async () => {
  await using system = await openTestSystem();
  const old = await system.begin();
  const before = await Promise.all(Array.from({ length: 4 }, () => placeAndPay(system.deps)));
  const newer = await system.begin();
  const both = await Promise.all(Array.from({ length: 4 }, () => placeAndPay(system.deps)));
  await old.stop();
  const after = await placeAndPay(system.deps);
  await vi.waitFor(async () => expect((await newer.status()).state).toBe("following"), soon);
  const all = [...before, ...both, after].map(({ orderId }) => orderId);
  await seePurged(system, all);
  await seeDoneOnce(system, all);
});
