import { expect, it } from "vitest";
import { seal } from "../event-store/hash-chain.ts";
import { eventLeaf, leafOf } from "./event-leaf.ts";

const link = { stream: "order-7c9e6679", revision: 0, previousHash: null };
const plain = { id: "5b2f6c1e-0000-5000-8000-000000000001", type: "Opened", data: { number: "KC-1234" } };
const stored = {
  ...seal({ ...plain, metadata: { at: "2026-11-21T09:30:00.000Z" } }, link),
  ...{ stream: link.stream, revision: 0, position: "0000000012", recordedAt: "2026-11-21T09:30:00.100Z" },
};

it("names the event, its place and its hash, and nothing of the order", () => {
  const text = eventLeaf("log-1", 41, stored, [["rule", "submitted"]]);
  expect(text).toBe(
    [
      "kith-and-copy/event@v1",
      "log log-1",
      "index 41",
      "event 5b2f6c1e-0000-5000-8000-000000000001",
      "type Opened",
      "time 2026-11-21T09:30:00.000Z",
      `sha256 ${stored.metadata.hash}`,
      "rule submitted",
      "",
    ].join("\n"),
  );
});

it("is the same in a copy of the log, where only position and clock differ", () => {
  const copied = { ...stored, position: "0000000099", recordedAt: "2027-01-01T00:00:00.000Z" };
  expect(eventLeaf("log-1", 41, copied)).toBe(eventLeaf("log-1", 41, stored));
});

it("is made of no event that was changed, and of none without a time", () => {
  expect(() => eventLeaf("log-1", 0, { ...stored, data: { number: "KC-1235" } })).toThrow(
    "not what was appended",
  );
  expect(() => eventLeaf("log-1", 0, { ...stored, metadata: {} })).toThrow("does not follow");
  for (const metadata of [{}, { at: 7 }, { at: "2026-11-21" }, { at: "2026-11-21T09:30:00.000Z\nrule x" }])
    expect(() => eventLeaf("log-1", 0, { ...stored, ...seal({ ...plain, metadata }, link) })).toThrow(
      "not a time",
    );
});

it("has the hash that the event was appended with, where its content is not verified", () =>
  expect(leafOf("log-1", 41, { ...stored, data: { number: "KC-1235" } })).toBe(
    eventLeaf("log-1", 41, stored),
  ));

it("has one line for each field, whatever a field holds", () =>
  expect(() => eventLeaf("log-1", 0, stored, [["rule", "a\nb"]])).toThrow("control character"));
