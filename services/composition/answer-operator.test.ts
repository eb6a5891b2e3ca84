import { once } from "node:events";
import { createServer, get } from "node:http";
import express from "express";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { metricsPage } from "./answer-operator.ts";

const portOf = z.object({ port: z.number() });

async function statusFor(names: readonly string[], host: string): Promise<number | undefined> {
  const app = express().use(metricsPage({ text: async () => "up 1", contentType: "text/plain" }, names));
  const server = createServer(app).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = portOf.parse(server.address());
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
