import { expect, it } from "vitest";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import type { Projection } from "./projection.ts";
import { type FoldedRow, foldRows, keysOf } from "./table-writer.ts";

/** Folds the types of a stream's events into one text. */
const words: Projection<string> = {
  name: "words",
  version: 1,
  table: { name: "words", columns: {}, indexes: [], row: () => ({}) },
  keyOf: (stream) => (stream.startsWith("word-") ? stream.slice("word-".length) : undefined),
  fold: (state = "", event) => state + event.type,
};

const event = (stream: string, revision: number, type: string): StoredEvent => ({
  id: `${stream}-${revision}`,
  stream,
  revision,
  type,
  data: {},
  metadata: {},
  position: `${revision}`,
  recordedAt: "2026-11-23T09:30:00.000Z",
});

const rows = (...given: FoldedRow<string>[]) => new Map(given.map((row) => [row.key, row]));

it("folds each stream into its own row", () => {
  const events = [
    event("word-x", 0, "a"),
    event("other-y", 0, "b"),
    event("word-z", 0, "c"),
    event("word-x", 1, "d"),
  ];
  expect(keysOf(words, events)).toEqual(["x", "z"]);
  expect(foldRows(words, rows(), events)).toEqual([
    { key: "x", revision: 1, folded: "ad" },
    { key: "z", revision: 0, folded: "c" },
  ]);
});

it("returns only changed rows: a repeated event changes nothing", () => {
  const current = rows({ key: "x", revision: 1, folded: "ab" }, { key: "z", revision: 0, folded: "c" });
  const again = [event("word-x", 0, "a"), event("word-x", 1, "b"), event("word-z", 0, "c")];
  expect(foldRows(words, current, again)).toEqual([]);
  expect(foldRows(words, current, [...again, event("word-z", 1, "d")])).toEqual([
    { key: "z", revision: 1, folded: "cd" },
  ]);
});

it("refuses a gap, at the start of a stream or later", () => {
  expect(() => foldRows(words, rows(), [event("word-x", 1, "b")])).toThrow(
    expect.objectContaining({ name: "RevisionGap" }),
  );
  const current = rows({ key: "x", revision: 1, folded: "ab" });
  expect(() => foldRows(words, current, [event("word-x", 3, "d")])).toThrow(
    "folded up to revision 1, and the next event is 3",
  );
});

it("does not modify its input rows", () => {
  const current = rows({ key: "x", revision: 0, folded: "a" });
  foldRows(words, current, [event("word-x", 1, "b")]);
  expect(current).toEqual(rows({ key: "x", revision: 0, folded: "a" }));
});

it("gives each event of a register its own row, once, whatever else its stream holds", () => {
  const register: Projection<string> = {
    ...words,
    isRegister: true,
    keyOf: (_stream, { id, type }) => (type === "b" ? id : undefined),
  };
  const events = [event("word-x", 0, "a"), event("word-x", 1, "b"), event("word-x", 2, "b")];
  expect(foldRows(register, rows(), events)).toEqual([
    { key: "word-x-1", revision: 1, folded: "b" },
    { key: "word-x-2", revision: 2, folded: "b" },
  ]);
  const current = rows({ key: "word-x-1", revision: 1, folded: "b" });
  expect(foldRows(register, current, events).map(({ key }) => key)).toEqual(["word-x-2"]);
});
