import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { platform } from "node:os";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../../../infra/process/free-port.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { arrive, callInTurn } from "./arrivals.ts";
import { createLoadFigures, reportLines } from "./call-figures.ts";
import { createCustomer } from "./customer.ts";
import { findCardDesk } from "./order.ts";
import { findTarget } from "./target.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
});

/** A target that answers with the caller's address and the given status. */
async function startTarget(status = 200): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(status, { "Set-Cookie": "order=secret; HttpOnly" });
    const { remoteAddress } = request.socket;
    response.end(JSON.stringify({ address: remoteAddress, cookie: request.headers.cookie }));
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It listens on a port.");
  return `http://localhost:${address.port}`;
}

const onLinux = platform() === "linux";
const echoed = z.object({ address: z.string(), cookie: z.string() });

/** How many callers waited over 50 ms for a target that stalled in its first 300 ms. */
async function waitedLong(way: typeof arrive): Promise<number> {
  const waits: number[] = [];
  const standsUntil = performance.now() + 300;
  const { ended } = await way(100, 0.6, async (_nth, dueAt) => {
    await delay(Math.max(0, standsUntil - performance.now()));
    if (dueAt < standsUntil) waits.push(performance.now() - dueAt);
  });
  await ended;
  return waits.filter((ms) => ms > 50).length;
}

describe("load", () => {
  it("targets only this machine, unless the host is declared as one's own", async () => {
    for (const url of ["https://example.org", "http://10.0.0.7:3000", "http://localhost.example.org"])
      await expect(findTarget(url, false)).rejects.toThrow("is not this machine");
    await expect(findTarget("example", false)).rejects.toThrow("which is not an address");
    expect((await findTarget("https://staging.example:8443/path", true)).url).toBe(
      "https://staging.example:8443",
    );
    expect((await findTarget("http://localhost:3000/", false)).url).toBe("http://127.0.0.1:3000");
  });

  it("reports a missing target or sandbox", async () => {
    await expect(findCardDesk(`http://127.0.0.1:${await freePort()}`)).rejects.toThrow(OperatorError);
    await expect(findCardDesk(await startTarget())).rejects.toThrow("has no sandbox that accepts cards");
  });

  it("gives each customer a distinct address: a real one here, a forwarded one elsewhere", async () => {
    const here = await findTarget("http://localhost:3000", false);
    const expected = onLinux
      ? [{ localAddress: "127.18.0.0" }, { localAddress: "127.18.1.2" }]
      : [{ forwardedFor: "198.18.0.0" }, { forwardedFor: "198.18.1.2" }];
    expect([here.from(0), here.from(258), here.from(65_536)]).toEqual([...expected, expected[0]]);
    const there = await findTarget("https://staging.example", true);
    expect(there.from(258)).toEqual({ forwardedFor: "198.18.1.2" });
  });

  it("calls from that address, and keeps its cookies", async () => {
    const url = await startTarget();
    const target = await findTarget(url, false);
    const figures = createLoadFigures();
    const customer = createCustomer(figures, target.from(258));
    await customer.post("call", target.url, {}, z.unknown());
    expect(await customer.post("call", target.url, {}, echoed)).toEqual({
      address: onLinux ? "127.18.1.2" : "127.0.0.1",
      cookie: "order=secret",
    });
    customer.leave();
    expect(figures.calls().get("call")?.latenciesMs).toHaveLength(2);
    expect(figures.faults()).toBe(0);
  });

  it("counts and reports each missing or unexpected answer", async () => {
    const figures = createLoadFigures();
    const customer = createCustomer(figures, {});
    const refused = await startTarget(429);
    await expect(customer.post("create", refused, {}, z.unknown())).rejects.toThrow("429");
    const strange = await startTarget();
    const wanted = z.object({ orderNumber: z.string() });
    await expect(customer.post("create", strange, {}, wanted)).rejects.toThrow("ZodError");
    await expect(customer.post("submit", "http://127.0.0.1:1", {}, z.unknown())).rejects.toThrow(
      "ECONNREFUSED",
    );
    customer.leave();
    figures.begin();
    expect(figures.faults()).toBe(3);
    expect(reportLines(figures, 1).filter((line) => line.startsWith("FAULT"))).toEqual([
      "FAULT  create: 429, 1 times",
      "FAULT  create: ZodError, 1 times",
      "FAULT  submit: ECONNREFUSED, 1 times",
    ]);
  });

  it("counts the waiting of all that arrive while the target stalls, open-loop", async () => {
    expect(await waitedLong(arrive)).toBeGreaterThan(20);
  });

  it("would count only one of them if callers waited for answers (control)", async () => {
    const oneInTurn: typeof arrive = (perSecond, seconds, begin) =>
      callInTurn(1, seconds, async (nth, dueAt) => {
        await begin(nth, dueAt);
        await delay(1000 / perSecond);
      });
    expect(await waitedLong(oneInTurn)).toBeLessThan(2);
  });

  it("reports rates and latency quantiles", () => {
    const figures = createLoadFigures();
    for (let ms = 1; ms <= 100; ms++) figures.took("create", ms);
    expect(reportLines(figures, 10)[1]).toMatch(/^create +10\.0 +51\.0 +96\.0 +100\.0 +100\.0 +100$/);
  });
});
