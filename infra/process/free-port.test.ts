import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { freePort } from "./free-port.ts";

test("No port is given out twice, even before anything listens on it", async () => {
  const ports = [];
  for (let n = 0; n < 400; n += 1) ports.push(await freePort());
  expect(new Set(ports).size).toBe(400);
});

const mark = async (port: number) => {
  const socket = createSocket("udp4");
  await once(socket.bind({ port, address: "127.0.0.1", exclusive: true }), "listening");
  return socket;
};

test("A port that another process was given is passed over, though nothing listens on it yet", async () => {
  const given = (await freePort()) + 1;
  const others = await mark(given);
  expect(await freePort()).not.toBe(given);
  others.close();
  await expect(mark(await freePort())).rejects.toThrow("EADDRINUSE");
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
