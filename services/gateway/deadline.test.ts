import { randomUUID } from "node:crypto";
import { levels } from "pino";
import { afterEach, expect, test, vi } from "vitest";
import { withAppend } from "../../testing/event-store/handler-fixture.ts";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
import { startTestGateway, type TestGateway } from "../../testing/gateway/gateway-fixture.ts";
import { orderBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { noOrders } from "../../testing/projections/read-model-fixture.ts";
import { createMemoryVault } from "../../testing/vault/memory-vault.ts";

let gateway: TestGateway;
afterEach(async () => {
  vi.useRealTimers();
  await gateway.close();
});

test("An order is answered in time though the log hangs, and sent again it is made once", async () => {
  const memory = createMemoryEventStore();
  const [hung, thawed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const store = withAppend(memory, async (request) => {
    hung.resolve();
    await thawed.promise;
    return memory.append(request);
  });
  gateway = await startTestGateway({
    store,
    vault: createMemoryVault(),
    queries: noOrders,
    waitFor: async () => true,
  });
  const key = randomUUID();
  const order = () =>
    fetch(`${gateway.url}/api/orders`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": key },
      body: JSON.stringify(orderBody()),
    });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const hanging = order();
  await hung.promise;
  vi.advanceTimersByTime(8_000);
  const refused = await hanging;
  expect(refused.status).toBe(503);
  expect(refused.headers.get("Retry-After")).toBe("5");
  expect(await refused.json()).toMatchObject({ code: "unavailable", status: 503 });
  const requests = gateway.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request");
  expect(requests).toMatchObject([{ status: 503, level: levels.values.info }]);
  thawed.resolve();
  const made = await order();
  expect(made.status).toBeLessThan(300);
  const created = (await memory.readAll("", 100)).filter(({ type }) => type === "OrderCreated");
  expect(created).toHaveLength(1);
});
