import express, { type ErrorRequestHandler } from "express";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EventStore, FollowOptions } from "../../../infra/event-store/event-store.ts";
import { listenTo } from "../../../testing/gateway/event-reader-fixture.ts";
import {
  customer,
  pricedOrder,
  type TestDependencies,
  testDependencies,
} from "../../../testing/services/use-case-fixture.ts";
import { requestPayment } from "../../orders/payments/request-payment.ts";
import { type Listening, listen, usualPatience } from "../listen.ts";
import { createLiveOrders, type LiveOrders, usualLiveSettings } from "./live-orders.ts";

/** A store whose followers a test counts, and breaks. */
function followedStore(store: EventStore) {
  const broken = new AbortController();
  const counted = { follows: 0, headFails: false, breakFollower: () => broken.abort() };
  async function* follow(options: FollowOptions) {
    counted.follows += 1;
    const signal = counted.follows === 1 ? AbortSignal.any([options.signal, broken.signal]) : options.signal;
    yield* store.follow({ ...options, signal });
    if (broken.signal.aborted && counted.follows === 1) throw new Error("The log cannot be read.");
  }
  const head = () => (counted.headFails ? Promise.reject(new Error("No answer.")) : store.head());
  const followed: Pick<EventStore, "follow" | "head"> = { follow, head };
  return { followed, counted };
}

let deps: TestDependencies;
let counted: ReturnType<typeof followedStore>["counted"];
let live: LiveOrders;
let listening: Listening;
beforeEach(async () => {
  const stores: EventStore[] = [];
  deps = testDependencies((store) => {
    stores.push(store);
    return store;
  });
  const [store] = stores;
  if (!store) throw new Error("The orders have a store.");
  const watched = followedStore(store);
  counted = watched.counted;
  const { orders, log } = deps;
  live = createLiveOrders({
    ...{ store: watched.followed, orders, log },
    settings: { ...usualLiveSettings, collectMs: 1 },
  });
  const app = express();
  app.get("/:orderId", (request, response) => live.open(request, response, request.params.orderId));
  const failed: ErrorRequestHandler = (_error, _request, response, _next) => response.status(500).end();
  app.use(failed);
  listening = await listen(app, "127.0.0.1", 0, usualPatience);
});
afterEach(async () => {
  live.close();
  await listening.close();
});

const watch = (orderId: string) => listenTo(`http://127.0.0.1:${listening.port}/${orderId}`);

/** Changes an order once. @returns the position of its newest event */
const change = async (orderId: string): Promise<string> =>
  (await requestPayment(deps, orderId, 4500, customer)).position;

const standing = async (orderId: string): Promise<string> => (await deps.orders.load(orderId)).position;

describe("Changes of orders", () => {
  test("reach all who watch, over one follower of the log", async () => {
    const [order, another] = [await pricedOrder(deps), await pricedOrder(deps)];
    const [before, ofAnother] = [await standing(order), await standing(another)];
    const [one, two, other] = await Promise.all([watch(order), watch(order), watch(another)]);
    const position = await change(order);
    const heard = [before, position];
    await expect
      .poll(() => [one, two, other].map(({ changes }) => changes()))
      .toEqual([heard, heard, [ofAnother]]);
    expect(counted.follows).toBe(1);
  });

  test("before the first who watches are told as one position, and none after they left", async () => {
    const order = await pricedOrder(deps);
    const before = await standing(order);
    const [first, stays] = [await watch(order), await watch(order)];
    await expect.poll(() => [first.changes(), stays.changes()]).toEqual([[before], [before]]);
    first.hangUp();
    const position = await change(order);
    await expect.poll(() => stays.changes()).toEqual([before, position]);
    expect(first.changes()).toEqual([before]);
  });

  test("that can no longer be followed end their streams, and are followed again by who comes next", async () => {
    const order = await pricedOrder(deps);
    const lost = await watch(order);
    counted.breakFollower();
    await expect.poll(() => lost.wasWhole()).toBe(true);
    const next = await watch(order);
    const position = await change(order);
    await expect.poll(() => next.changes().at(-1)).toBe(position);
    expect(counted.follows).toBe(2);
  });

  test("cannot be watched while the log does not answer, and can once it does", async () => {
    const order = await pricedOrder(deps);
    counted.headFails = true;
    expect((await watch(order)).status).toBe(500);
    counted.headFails = false;
    const heard = await watch(order);
    const position = await change(order);
    await expect.poll(() => heard.changes().at(-1)).toBe(position);
  });
});
