import { once } from "node:events";
import { get } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { freePort } from "../../infra/process/free-port.ts";
import { createMeter } from "../../infra/telemetry/metrics/meter.ts";
import { answerOperator } from "./answer-operator.ts";

/** The status of `/metrics` for a `Host` header, where these names are configured. */
async function statusFor(names: string[], host: string): Promise<number | undefined> {
  const closing = new AsyncDisposableStack();
  onTestFinished(() => closing.disposeAsync());
  const port = await freePort();
  const config = { HEALTH_PORT: port, HEALTH_HOST: "127.0.0.1", METRICS_HOSTS: names };
  await answerOperator(config, [], createMeter(), new AbortController().signal, closing);
  const asked = get({ port, path: "/metrics", headers: { host }, setHost: false, agent: false });
  const [answer] = z.tuple([z.object({ statusCode: z.number() })]).parse(await once(asked, "response"));
  return answer.statusCode;
}

it("answers to IP addresses and the operator's host names only", async () => {
  expect(await statusFor([], "127.0.0.1:9100")).toBe(200);
  expect(await statusFor([], "rebound.evil.example")).toBe(403);
  expect(await statusFor(["figures.internal.example"], "figures.internal.example:9100")).toBe(200);
});

it.each([
  ["localhost", true],
  ["LocalHost:9100", true],
  ["127.0.0.1", true],
  ["10.0.0.7:9100", true],
  ["[::1]:9100", true],
  ["[fd00::7]", true],
  ["gateway:9100", true],
  ["figures.internal.example", true],
  ["FIGURES.internal.example:9100", true],
  ["internal.example", false],
  ["figures.internal.example.evil.example", false],
  ["evil.example@localhost", false],
  ["localhost.evil.example", false],
  ["127.0.0.1.evil.example", false],
  ["300.0.0.1", false],
  ["localhost:9100:1", false],
  ["", false],
])("counts %j as the operator's: %j", async (host, expected) => {
  expect(await statusFor(["figures.internal.example"], host)).toBe(expected ? 200 : 403);
});
