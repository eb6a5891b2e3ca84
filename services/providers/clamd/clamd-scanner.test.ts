import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createClamdScanner } from "./clamd-scanner.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A daemon that answers with the given words, and ends; undefined: falls silent. */
async function clamd(answer: string | undefined) {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      received.push(chunk);
      const all = Buffer.concat(received);
      if (answer !== undefined && all.subarray(-4).equals(Buffer.alloc(4))) socket.end(`${answer}\0`);
    });
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return { scanner: createClamdScanner({ host: "127.0.0.1", port, timeoutMs: 300 }), received };
}

test("An attachment is sent in pieces, each with its length", async () => {
  const { scanner, received } = await clamd("stream: OK");
  expect(await scanner.scan(Buffer.alloc(70_000, "x"))).toBe("clean");
  const sent = Buffer.concat(received);
  expect(sent.subarray(0, 10).toString()).toBe("zINSTREAM\0");
  expect([sent.readUInt32BE(10), sent.readUInt32BE(14 + 65_536), sent.length]).toEqual([
    65_536,
    70_000 - 65_536,
    10 + 4 + 70_000 + 4 + 4,
  ]);
});

test("A virus is found", async () => {
  const { scanner } = await clamd("stream: Eicar-Test-Signature FOUND");
  expect(await scanner.scan(Buffer.from("x"))).toBe("infected");
});

test.each([["INSTREAM size limit exceeded. ERROR"], [""], [undefined]])(
  "The answer %j tells nothing",
  async (answer) => {
    const { scanner } = await clamd(answer);
    await expect(scanner.scan(Buffer.from("x"))).rejects.toThrow("The virus scanner did not answer.");
  },
);

test("A scanner that is not there tells nothing", async () => {
  const { scanner } = await clamd("stream: OK");
  servers.splice(0).forEach((server) => void server.close());
  await expect(scanner.scan(Buffer.from("x"))).rejects.toThrow("The virus scanner did not answer.");
});
