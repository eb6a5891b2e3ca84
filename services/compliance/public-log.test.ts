import { afterAll, beforeAll, expect, it } from "vitest";
import { logKeys } from "../../contract/transparency/public-log.ts";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
import { startTestGateway, type TestGateway } from "../../testing/gateway/gateway-fixture.ts";
import { noOrders } from "../../testing/projections/read-model-fixture.ts";
import { createMemoryVault } from "../../testing/vault/memory-vault.ts";

const tiles = new Map([
  ["tile/0/000", new Uint8Array(8_192).fill(7)],
  ["tile/0/x001/x234/067.p/5", new Uint8Array(160).fill(8)],
]);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    ...{ store: createMemoryEventStore(), vault: createMemoryVault(), queries: noOrders },
    waitFor: async () => true,
    publicLog: {
      checkpoint: async () => "a note\n",
      witnesses: () => ({ quorum: 2, keys: ["one", "two", "three"] }),
      keys: async () => [
        { key: "the newest", state: "signs", since: null },
        { key: "revoked", state: "revoked", since: "2026-11-20T10:00:00.000Z" },
        { key: "retired", state: "retired", since: "2026-11-21T10:00:00.000Z" },
      ],
      tile: async (path) => tiles.get(path),
      prove: async () => undefined,
      proveTogether: async () => undefined,
    },
  });
});
afterAll(() => gateway.close());

const get = (path: string) => fetch(`${gateway.url}/transparency/${path}`);
const shown = ({ status, headers }: Response) => [
  status,
  headers.get("Content-Type"),
  headers.get("Cache-Control"),
];

it("serves the checkpoint as text, kept for seconds", async () => {
  const answer = await get("checkpoint");
  expect(shown(answer)).toEqual([200, "text/plain; charset=utf-8", "public, max-age=10"]);
  expect(await answer.text()).toBe("a note\n");
});

it("serves the keys that count as text, one a line, the newest first", async () => {
  const answer = await get("key");
  expect(shown(answer)).toEqual([200, "text/plain; charset=utf-8", "public, max-age=3600"]);
  expect(await answer.text()).toBe("the newest\nretired\n");
});

it("says of every key, revoked ones too, until when it signed", async () => {
  const answer = await get("keys");
  expect(shown(answer)).toEqual([200, "application/json; charset=utf-8", "no-store"]);
  expect(logKeys.parse(await answer.json()).keys.map(({ state, since }) => [state, since])).toEqual([
    ["signs", null],
    ["revoked", "2026-11-20T10:00:00.000Z"],
    ["retired", "2026-11-21T10:00:00.000Z"],
  ]);
});

it("names the witnesses and how many of them should sign", async () => {
  const answer = await get("witnesses");
  expect(await answer.json()).toEqual({ quorum: 2, keys: ["one", "two", "three"] });
});

it("serves tiles as bytes, kept for a year", async () => {
  for (const [path, bytes] of tiles) {
    const answer = await get(path);
    expect(shown(answer)).toEqual([200, "application/octet-stream", "public, max-age=31536000"]);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
  }
});

it.each(["tile/0/001", "tile/0", "tile/0/%2e%2e/000", "tile/0/000/", "tile/entries/000", "tile/0/%00"])(
  "has no %s",
  async (path) => expect((await get(path)).status).toBe(404),
);
