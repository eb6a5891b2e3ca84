import { expect, it, onTestFinished, vi } from "vitest";
import { openRedis } from "../../infra/redis/open-redis.ts";
import { startTestRedis } from "../../testing/infra/redis-server-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { redisReady } from "./readiness.ts";

it("A Redis that is killed degrades a process, until it is back", async () => {
  await using server = await startTestRedis();
  const redis = openRedis(server.url, {
    answerWithinMs: 500,
    onAway: () => undefined,
    onBack: () => undefined,
  });
  onTestFinished(() => redis.endAll());
  const { check, degrades } = redisReady(redis);
  expect(degrades).toBe(true);
  await vi.waitFor(async () => expect(await check()).toBeUndefined(), soon);
  await server.kill();
  await vi.waitFor(async () => expect(await check()).toBe("does not answer"), soon);
  await server.start();
  await vi.waitFor(async () => expect(await check()).toBeUndefined(), soon);
});
