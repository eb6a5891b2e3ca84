import { createServer } from "node:net";
import { expect, test } from "vitest";
import { freePort } from "./free-port.ts";

test("No port is given out twice, even before anything listens on it", async () => {
  const ports = [];
  for (let n = 0; n < 400; n += 1) ports.push(await freePort());
  expect(new Set(ports).size).toBe(400);
});

test("An outgoing connection can't take a port before it is used", async () => {
  const port = await freePort();
  expect(port).toBeGreaterThan(1023);
  expect(port).toBeLessThan(32_768);
});

test("A port in use is passed over", async () => {
  const taken = (await freePort()) + 1;
  const server = createServer();
  await new Promise<void>((done) => server.listen(taken, "127.0.0.1", done));
  expect(await freePort()).not.toBe(taken);
  await new Promise<void>((done) => server.close(() => done()));
});
