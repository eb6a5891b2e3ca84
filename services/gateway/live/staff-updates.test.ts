import { randomUUID } from "node:crypto";
import express from "express";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EventStore } from "../../../infra/event-store/event-store.ts";
import { createMemoryEventStore } from "../../../testing/event-store/memory-event-store.ts";
import { type HeardEvents, listenTo } from "../../../testing/gateway/event-reader-fixture.ts";
import { type Listening, listen, usualPatience } from "../listen.ts";
import { createStaffUpdates, type StaffUpdates, usualStaffUpdateSettings } from "./staff-updates.ts";

let store: EventStore;
let updates: StaffUpdates;
let listening: Listening;
beforeEach(async () => {
  store = createMemoryEventStore();
  updates = createStaffUpdates({
    store,
    ended: { endedAmong: async () => [] },
    health: async () => "",
    log: pino({ level: "silent" }),
    settings: usualStaffUpdateSettings,
  });
  const app = express();
  app.get("/:userId", (request, response) =>
    updates.open(request, response, {
      userId: request.params.userId,
      sessionId: request.params.userId,
      issuedAtSeconds: 0,
    }),
  );
  listening = await listen(app, "127.0.0.1", 0, usualPatience);
});
afterEach(async () => {
  updates.close();
  await listening.close();
  await store.close();
});

const open = (userId: string): Promise<HeardEvents> =>
  listenTo(`http://127.0.0.1:${listening.port}/${userId}`);

const event = (type: string, data = {}) => ({ id: randomUUID(), type, data, metadata: {} });

/** Appends to new streams in one turn, before anything of it is reported. @returns the newest position */
async function append(streams: Readonly<Record<string, readonly ReturnType<typeof event>[]>>) {
  const appended = await Promise.all(
    Object.entries(streams).map(([stream, events]) =>
      store.append({ stream, expectedRevision: "none", events }),
    ),
  );
  return appended.at(-1)?.position;
}

const something = () => [event("Something")];

const changesIn = ({ text }: HeardEvents): unknown[] =>
  [...text().matchAll(/^data: (.+)$/gm)].map(([, data = ""]) => JSON.parse(data));

test.each([
  ["order-0f1e", [{ topic: "orders", key: "0f1e" }]],
  ["ticket-0f1e", [{ topic: "tickets", key: "0f1e" }]],
  ["saved-draft-0f1e", [{ topic: "drafts", key: "0f1e" }]],
  ["settings", [{ topic: "settings", key: "settings" }]],
  ["customer-0f1e", []],
  ["order-", []],
])("the stream %s is announced as %j", async (stream, announced) => {
  const heard = await open("user_1");
  await append({ [stream]: something(), "order-last": something() });
  await expect.poll(() => changesIn(heard)).toEqual([...announced, { topic: "orders", key: "last" }]);
});

test("only grants and revocations change a role, and of one person each", async () => {
  const [granted, revoked, other] = [await open("user_1"), await open("user_2"), await open("user_3")];
  await append({
    settings: [
      event("PricesChanged", { userId: "user_3" }),
      event("StaffRevoked", {}),
      event("StaffGranted", { userId: "user_1", role: "staff" }),
      event("StaffRevoked", { userId: "user_2" }),
    ],
  });
  await expect.poll(() => [granted.ended(), revoked.ended()]).toEqual([true, true]);
  await expect.poll(() => changesIn(other)).toEqual([{ topic: "settings", key: "settings" }]);
  expect(other.ended()).toBe(false);
});

test("what changed often is announced once, with the newest position", async () => {
  const heard = await open("user_1");
  const newest = await append({ "order-a": [...something(), ...something()], "ticket-b": something() });
  await expect
    .poll(() => changesIn(heard))
    .toEqual([
      { topic: "orders", key: "a" },
      { topic: "tickets", key: "b" },
    ]);
  expect(heard.changes()).toEqual([newest, newest]);
});

test("a flood of one topic is announced as one, and names nothing; 20 are still named", async () => {
  const heard = await open("user_1");
  const flood = (kind: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${kind}-${at}`, something()]));
  await append({ ...flood("ticket", 20), ...flood("order", 21) });
  await expect.poll(() => changesIn(heard)).toHaveLength(21);
  const named = Array.from({ length: 20 }, (_, at) => ({ topic: "tickets", key: String(at) }));
  expect(changesIn(heard)).toEqual([...named, { topic: "orders", key: null }]);
});
