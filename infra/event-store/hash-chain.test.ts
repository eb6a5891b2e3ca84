import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StoredEvent } from "./event-store.ts";
import { BrokenChain, seal, verify, verifyStream } from "./hash-chain.ts";

const id = "7c9d4e0e-5a3c-4f1c-9a57-2d8a4ab0a001";
const stream = "thing-1";

/** A stream of this many sealed events, as read back. */
function aChain(length: number): StoredEvent[] {
  const chain: StoredEvent[] = [];
  let previousHash: string | null = null;
  for (let revision = 0; revision < length; revision++) {
    const event = {
      id,
      type: "Happened",
      data: { revision, b: [1, { z: null }] },
      metadata: { who: "someone" },
    };
    const sealed = seal(event, { stream, revision, previousHash });
    previousHash = sealed.metadata.hash;
    chain.push({
      ...sealed,
      stream,
      revision,
      position: String(revision),
      recordedAt: "2026-11-21T00:00:00.000Z",
    });
  }
  return chain;
}

const at = (chain: readonly StoredEvent[], index: number): StoredEvent =>
  chain[index] ?? expect.fail("no such event");

it("is SHA-256 over the canonical JSON of the event with its place in the stream", () => {
  const canonical = `{"data":{"a":"é","b":1},"id":"${id}","metadata":{"previousHash":"ff","who":"me"},"revision":4,"stream":"thing-1","type":"Happened"}`;
  const sealed = seal(
    { id, type: "Happened", data: { b: 1, a: "é" }, metadata: { who: "me" } },
    { stream, revision: 4, previousHash: "ff" },
  );
  expect(sealed.metadata).toEqual({
    who: "me",
    previousHash: "ff",
    hash: createHash("sha256").update(canonical).digest("hex"),
  });
});

it("accepts a stream as appended, and returns the newest hash", () => {
  const chain = aChain(5);
  expect(verifyStream(stream, chain)).toBe(at(chain, 4).metadata.hash);
  expect(verifyStream(stream, [])).toBeNull();
});

it("does not depend on the order of JSON keys", () => {
  const [event] = aChain(1);
  const turned = event && { ...event, data: Object.fromEntries(Object.entries(event.data).reverse()) };
  expect(turned && verify(turned, null)).toBe(event?.metadata.hash);
});

describe("breaks when an event", () => {
  const broken = (change: (chain: StoredEvent[]) => void) => () => {
    const chain = aChain(5);
    change(chain);
    expect(() => verifyStream(stream, chain)).toThrow(BrokenChain);
  };
  const edit = (change: Partial<StoredEvent>) =>
    broken((chain) => chain.splice(2, 1, { ...at(chain, 2), ...change }));

  it("has other data", edit({ data: { revision: 2, b: [1, { z: 0 }] } }));
  it("has another type", edit({ type: "HappenedNot" }));
  it("has another id", edit({ id: id.replace("7", "8") }));
  it(
    "has other metadata",
    broken((chain) => {
      chain.splice(2, 1, { ...at(chain, 2), metadata: { ...at(chain, 2).metadata, who: "another" } });
    }),
  );
  it("has no hash", edit({ metadata: {} }));
  it(
    "was removed from the middle",
    broken((chain) => chain.splice(2, 1)),
  );
  it(
    "was removed and the rest renumbered",
    broken((chain) => {
      chain.splice(2, 1);
      chain.splice(2, 2, { ...at(chain, 2), revision: 2 }, { ...at(chain, 3), revision: 3 });
    }),
  );
  it(
    "was removed from the start",
    broken((chain) => chain.shift()),
  );
  it(
    "was inserted",
    broken((chain) => chain.splice(2, 0, { ...at(chain, 2), revision: 2 })),
  );
  it(
    "was swapped with another",
    broken((chain) => {
      chain.splice(2, 2, { ...at(chain, 3), revision: 2 }, { ...at(chain, 2), revision: 3 });
    }),
  );
  it("came from another stream", edit({ stream: "thing-2" }));

  it("was changed and rehashed, unless all later ones were too", () => {
    const chain = aChain(5);
    const { previousHash } = at(chain, 2).metadata;
    const forged = seal(
      { ...at(chain, 2), data: {}, metadata: { who: "someone" } },
      { stream, revision: 2, previousHash: typeof previousHash === "string" ? previousHash : null },
    );
    chain.splice(2, 1, { ...at(chain, 2), ...forged, stream, revision: 2 });
    expect(() => verifyStream(stream, chain)).toThrow(
      "Event 3 of thing-1 does not follow the event before it.",
    );
  });
});

it("accepts any JSON that went through a store", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ stringUnit: "binary" })),
      (data) => {
        const json = JSON.parse(JSON.stringify(data));
        const sealed = seal(
          { id, type: "Happened", data: json, metadata: {} },
          { stream, revision: 0, previousHash: null },
        );
        const read = JSON.parse(
          JSON.stringify({ ...sealed, stream, revision: 0, position: "1", recordedAt: "" }),
        );
        expect(verify(read, null)).toBe(sealed.metadata.hash);
      },
    ),
  );
});
