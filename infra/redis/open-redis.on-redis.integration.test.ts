import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { FaultProxy } from "../../testing/event-store/fault-proxy.ts";
import { startTestRedis, type TestRedis } from "../../testing/infra/redis-server-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { freePort } from "../process/free-port.ts";
import { OperatorError } from "../process/operator-error.ts";
import { openRedis, reachRedis } from "./open-redis.ts";

const refusalOf = async (address: string, patienceMs = 0): Promise<unknown> =>
  reachRedis(address, undefined, patienceMs).catch((error: unknown) => error);

let open: TestRedis;
let locked: TestRedis;
beforeAll(async () => {
  open = await startTestRedis();
  locked = await startTestRedis("--requirepass", "a-good-password");
});
afterAll(() => Promise.all([open[Symbol.asyncDispose](), locked[Symbol.asyncDispose]()]));

describe("REDIS_URL", () => {
  it("of a suitable server is accepted, with a password if required", async () => {
    await reachRedis(open.url);
    await reachRedis(locked.url.replace("redis://", "redis://:a-good-password@"));
  });

  it("with a missing or wrong password is refused without repeating it", async () => {
    expect(await refusalOf(locked.url)).toMatchObject({
      name: "OperatorError",
      message: expect.stringContaining("requires a password"),
    });
    const refusal = await refusalOf(locked.url.replace("redis://", "redis://:opensesame@"));
    expect(refusal).toBeInstanceOf(OperatorError);
    expect(String(refusal)).toContain("refuses the user or the password");
    expect(String(refusal)).not.toContain("opensesame");
  });

  it("of a port without a server is refused, naming the port", async () => {
    const port = await freePort();
    expect(String(await refusalOf(`redis://127.0.0.1:${port}`))).toContain(
      `REDIS_URL (127.0.0.1:${port}) cannot be used: nothing listens there`,
    );
  });

  it("of a starting server is waited for", async () => {
    await using late = await startTestRedis();
    await late.kill();
    const reached = reachRedis(late.url, undefined, 30_000);
    await late.start();
    await expect(reached).resolves.toBeUndefined();
  });

  it("of a server that drops keys is refused", async () => {
    await using dropping = await startTestRedis("--maxmemory-policy", "allkeys-lru");
    expect(String(await refusalOf(dropping.url))).toContain("set maxmemory-policy to noeviction");
  });
});

it("replaces a connection that falls silent", async () => {
  const { proxy, connectionString } = await FaultProxy.before(open.url);
  const [onAway, onBack] = [vi.fn(), vi.fn()];
  const redis = openRedis(connectionString, { answerWithinMs: 100, replaceAfterMs: 500, onAway, onBack });
  await vi.waitFor(() => redis.ping(), soon);
  proxy.swallowAnswers(true);
  await expect(redis.ping()).rejects.toThrow("Command timed out");
  await vi.waitFor(() => expect(onAway).toHaveBeenCalled(), soon);
  proxy.swallowAnswers(false);
  await vi.waitFor(() => expect(onBack).toHaveBeenCalled(), soon);
  await vi.waitFor(async () => expect(await redis.ping()).toBe("PONG"), soon);
  redis.endAll();
  await proxy.close();
});
