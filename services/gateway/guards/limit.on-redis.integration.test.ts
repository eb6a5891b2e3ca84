import { randomBytes } from "node:crypto";
import express from "express";
import { describe, expect, it, vi } from "vitest";
import type { LimitName } from "../../../contract/request.ts";
import { openRedis } from "../../../infra/redis/open-redis.ts";
import { startTestRedis, type TestRedis } from "../../../testing/infra/redis-server-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { Problem } from "../errors/problem.ts";
import { listen } from "../listen.ts";
import type { SharedCounts } from "./counts.ts";
import { createLimit, defaultLimits, type Limits } from "./limit.ts";
import { createMailLimit, createUnverifiedMailLimit } from "./mail-allowance.ts";

const addressKey = randomBytes(32);
/** By the path that a test asks for. */
const kinds: ReadonlyMap<string, LimitName> = new Map([
  ["missed", "guesses"],
  ["contact", "contact"],
  ["links", "links"],
]);

/** One gateway's guard on a port of its own, with a connection of its own; `ask` answers status and Retry-After. */
async function openGateway(closing: AsyncDisposableStack, redis?: TestRedis, limits: Partial<Limits> = {}) {
  let shared: SharedCounts | undefined;
  if (redis) {
    const client = openRedis(redis.url, { answerWithinMs: 300, onAway: vi.fn(), onBack: vi.fn() });
    closing.defer(() => client.endAll());
    await vi.waitFor(() => expect(client.status).toBe("ready"), soon);
    shared = { redis: client, addressKey };
  }
  const limit = createLimit({ ...defaultLimits, lookups: 3, contact: 2, ...limits }, shared);
  /** Until then, slow requests are under way. */
  const answered = Promise.withResolvers<void>();
  const app = express();
  app.set("trust proxy", 1);
  app.get("/:name", async (request, response) => {
    const { name } = request.params;
    try {
      if (name === "found" || name === "slow") {
        const giveBack = await limit(request, "guesses");
        if (name === "slow") await answered.promise;
        giveBack?.();
      } else await limit(request, kinds.get(name) ?? "lookups");
      response.sendStatus(200);
    } catch (refusal) {
      if (!(refusal instanceof Problem)) return void response.sendStatus(500);
      response.set(refusal.headers).sendStatus(refusal.status);
    }
  });
  const listening = await listen(app, "127.0.0.1", 0);
  closing.defer(() => listening.close());
  const ask = async (kind = "lookups", address = "192.0.2.7") => {
    const reply = await fetch(`http://127.0.0.1:${listening.port}/${kind}`, {
      headers: { "X-Forwarded-For": address },
    });
    return { status: reply.status, retryAfter: Number(reply.headers.get("Retry-After")) };
  };
  return { ask, shared, answer: answered.resolve };
}

const statuses = async (asks: readonly (() => Promise<{ status: number }>)[]) => {
  const seen = [];
  for (const ask of asks) seen.push((await ask()).status);
  return seen;
};

describe("A new private link", () => {
  it("counts as the mail that it sends", async () => {
    await using closing = new AsyncDisposableStack();
    const { ask } = await openGateway(closing);
    const [link, message] = [() => ask("links"), () => ask("contact")];
    expect(await statuses([link, message, link, message])).toEqual([200, 200, 429, 429]);
  });

  it("counts as a guess", async () => {
    await using closing = new AsyncDisposableStack();
    const { ask } = await openGateway(closing);
    const [link, lookup] = [() => ask("links"), () => ask("lookups")];
    expect(await statuses([lookup, lookup, link, lookup, link])).toEqual([200, 200, 200, 429, 429]);
  });
});

describe.each([["in memory"], ["in Redis"]])("A guess, counted %s", (where) => {
  it("counts as a lookup unless it finds something", async () => {
    await using closing = new AsyncDisposableStack();
    const redis = where === "in Redis" ? closing.use(await startTestRedis()) : undefined;
    const { ask } = await openGateway(closing, redis);
    const [missed, found] = [() => ask("missed"), () => ask("found")];
    expect(await statuses([found, found, found, found, missed, missed, found, missed])).toEqual(
      Array(8).fill(200),
    );
    expect(await statuses([missed, found, () => ask("lookups")])).toEqual([429, 429, 429]);
  });

  it("counts while it is under way", async () => {
    await using closing = new AsyncDisposableStack();
    const redis = where === "in Redis" ? closing.use(await startTestRedis()) : undefined;
    const { ask, answer } = await openGateway(closing, redis);
    const slow = [ask("slow"), ask("slow"), ask("slow")];
    await vi.waitFor(async () => expect((await ask("found")).status).toBe(429), soon);
    answer();
    await Promise.all(slow);
    expect((await ask("found")).status).toBe(200);
  });

  it("counts as a read as well", async () => {
    await using closing = new AsyncDisposableStack();
    const redis = where === "in Redis" ? closing.use(await startTestRedis()) : undefined;
    const { ask } = await openGateway(closing, redis, { reads: 2 });
    const found = () => ask("found");
    expect(await statuses([found, found, found])).toEqual([200, 200, 429]);
  });
});

describe("Two gateways on one Redis", () => {
  it("share a count, and say how long to wait", async () => {
    await using closing = new AsyncDisposableStack();
    const redis = closing.use(await startTestRedis());
    const [one, two] = [await openGateway(closing, redis), await openGateway(closing, redis)];
    expect(await statuses([one.ask, two.ask, one.ask])).toEqual([200, 200, 200]);
    const refused = await two.ask();
    expect(refused.status).toBe(429);
    expect(refused.retryAfter).toBeGreaterThan(0);
    expect(refused.retryAfter).toBeLessThanOrEqual(60);
    expect((await one.ask()).status).toBe(429);
    expect((await one.ask("lookups", "192.0.2.8")).status).toBe(200);
    expect((await one.ask("contact")).status).toBe(200);
  });

  it("without it count for themselves", async () => {
    await using closing = new AsyncDisposableStack();
    const [one, two] = [await openGateway(closing), await openGateway(closing)];
    expect(await statuses([one.ask, two.ask, one.ask, two.ask])).toEqual([200, 200, 200, 200]);
  });

  it("leave no address in it", async () => {
    await using closing = new AsyncDisposableStack();
    const redis = closing.use(await startTestRedis());
    const { ask } = await openGateway(closing, redis);
    await ask();
    await ask("contact");
    const keys = await redis.keys();
    expect(keys.map((key) => key.replace(/:[\w-]+$/, "")).sort()).toEqual([
      "certificates:limit:contact",
      "certificates:limit:contact-hour",
      "certificates:limit:lookups",
    ]);
    expect(keys.join()).not.toContain("192.0.2");
  });

  it("go on limiting each for itself while it is away, and together again once it is back", async () => {
    await using closing = new AsyncDisposableStack();
    const redis = closing.use(await startTestRedis());
    const [one, two] = [await openGateway(closing, redis), await openGateway(closing, redis)];
    await redis.kill();
    await vi.waitFor(() => expect(one.shared?.redis.status).not.toBe("ready"), soon);
    await vi.waitFor(() => expect(two.shared?.redis.status).not.toBe("ready"), soon);
    expect(await statuses([one.ask, one.ask, one.ask, one.ask])).toEqual([200, 200, 200, 429]);
    expect((await two.ask()).status).toBe(200);
    await redis.start();
    for (const { shared } of [one, two]) {
      await vi.waitFor(() => expect(shared?.redis.status).toBe("ready"), soon);
    }
    const other = "192.0.2.9";
    const ask = (gateway: typeof one) => () => gateway.ask("lookups", other);
    expect(await statuses([ask(one), ask(two), ask(one), ask(two)])).toEqual([200, 200, 200, 429]);
  });

  it("are not held up by one that froze", async () => {
    await using closing = new AsyncDisposableStack();
    const redis = closing.use(await startTestRedis());
    const { ask } = await openGateway(closing, redis);
    await redis.freeze();
    expect((await ask()).status).toBe(200);
    await redis.thaw();
  });
});

it("Mail that comes in and links to saved orders are counted apart", async () => {
  await using closing = new AsyncDisposableStack();
  const redis = closing.use(await startTestRedis());
  const { shared } = await openGateway(closing, redis);
  const [allowsMail, unverified] = [createMailLimit(shared), createUnverifiedMailLimit(shared)];
  for (let n = 0; n < 5; n++) expect(await unverified.count("a@post.example", 1_000)).toBe(0);
  expect(await unverified.count("a@post.example", 1_000)).toBeGreaterThan(0);
  expect(await allowsMail("a@post.example")).toBe(true);
});

it("Mail that is refused for the others does not count for its sender, in Redis either", async () => {
  await using closing = new AsyncDisposableStack();
  const redis = closing.use(await startTestRedis());
  const { shared } = await openGateway(closing, redis);
  const { count, usedUpForMs } = createUnverifiedMailLimit(shared);
  for (let n = 0; n < 200; n++) await count(`${n}@post.example`, 1_000);
  expect(await usedUpForMs()).toBe(0);
  for (let n = 0; n < 10; n++) expect(await count("a@post.example", 1_000)).toBeGreaterThan(0);
  expect(await usedUpForMs()).toBeGreaterThan(0);
  const key = (await redis.keys()).filter((each) => each.startsWith("certificates:limit:unverified-mail"));
  expect(key).toHaveLength(1);
  await shared?.redis.del(key);
  // A process that has not seen the refusals.
  expect(await createUnverifiedMailLimit(shared).count("a@post.example", 1_000)).toBe(0);
});
