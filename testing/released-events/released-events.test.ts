import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Json } from "../../infra/json.ts";
import {
  digestOf,
  historyFiles,
  kindOfFile,
  listedDigests,
  type RecordedLine,
  readHistory,
  streamKinds,
} from "./histories.ts";

// What was once appended stays in the log as it was written. When a fold below fails, today's code reads it otherwise:
// give the event a new version with an upcaster, or mend the fold. record-history.ts adds the history of a new event.

const histories = historyFiles().map((file) => ({ file, kind: kindOfFile(file), lines: readHistory(file) }));

const seenIn = (prefix: string): RecordedLine[] =>
  histories.filter(({ kind }) => kind === streamKinds[prefix]).flatMap(({ lines }) => lines);

const released = Object.entries(streamKinds).flatMap(([prefix, { schemas }]) =>
  Object.entries(schemas).map(([type, { version, data }]) => ({ prefix, type, version, data })),
);

describe("released events", () => {
  it.each(histories)("$file folds as it did when it was recorded", ({ kind, lines }) => {
    const states = kind.statesAfter(lines.map(({ event }) => event));
    let recorded: RecordedLine["becomes"] = {};
    for (const [nth, { event, becomes }] of lines.entries()) {
      recorded = event.revision === 0 ? becomes : { ...recorded, ...becomes };
      // A field that the state has got since is in no record.
      const folded = Object.keys(recorded).map((field) => [field, states[nth]?.[field] ?? null]);
      expect(Object.fromEntries(folded), `after event ${nth}`).toMatchObject(recorded);
    }
  });

  it.each(released)("$prefix: $type has a history in each of its versions", ({ prefix, type, version }) => {
    const versions = seenIn(prefix)
      .filter(({ event }) => event.type === type)
      .map(({ event }) => event.metadata.schemaVersion);
    const all = Array.from({ length: version }, (_, nth) => nth + 1);
    expect([...new Set(versions)].sort(), "Record one with record-history.ts").toEqual(all);
  });

  it.each(released)(
    "$prefix: $type has a history with each of its words",
    ({ prefix, type, version, data }) => {
      const events = seenIn(prefix).filter(
        ({ event }) => event.type === type && event.metadata.schemaVersion === version,
      );
      const seen = new Set(events.flatMap(({ event }) => wordsIn(event.data)));
      const missing = wordsOf(data).filter((word) => !seen.has(word));
      expect(missing, "Record events that have them with record-history.ts").toEqual([]);
    },
  );

  it("were not edited since they were recorded", () => {
    const digests = historyFiles().map((file) => [file, digestOf(file)] as const);
    expect(listedDigests()).toEqual(new Map(digests));
  });
});

describe("a history", () => {
  const [history] = histories.filter(({ file }) => file === "order-fulfilled.jsonl");
  const events = history?.lines.map(({ event }) => event) ?? [];

  it("shows a changed event (control)", () => {
    const changed = events.map((event) => (event.revision === 1 ? { ...event, data: {} } : event));
    expect(() => history?.kind.statesAfter(changed)).toThrow("is not what was appended");
  });

  it("shows a state that is another (control)", () => {
    const nth = events.findIndex(({ type }) => type === "OrderFulfilled");
    const states = history?.kind.statesAfter(events) ?? [];
    expect(states[nth]).toMatchObject({ phase: "Fulfilled" });
    expect(states[nth - 1]).not.toMatchObject({ phase: "Fulfilled" });
  });
});

/** Every word of a closed list that data of this schema may hold, with its path: `.destroyed[]=signature`. */
function wordsOf(schema: unknown, path = ""): string[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, part]) => wordsOf(part, `${path}.${key}`));
  if (schema instanceof z.ZodNullable) return [...wordsOf(schema.unwrap(), path), `${path}=null`];
  if (schema instanceof z.ZodArray) return wordsOf(schema.element, `${path}[]`);
  if (schema instanceof z.ZodEnum) return schema.options.map((word) => `${path}=${word}`);
  return schema instanceof z.ZodBoolean ? [`${path}=true`, `${path}=false`] : [];
}

/** Every leaf of the data in the same notation. */
function wordsIn(data: Json, path = ""): string[] {
  if (isList(data)) return data.flatMap((part) => wordsIn(part, `${path}[]`));
  if (typeof data === "object" && data !== null)
    return Object.entries(data).flatMap(([key, part]) => wordsIn(part, `${path}.${key}`));
  return [`${path}=${data}`];
}

const isList = (data: Json): data is readonly Json[] => Array.isArray(data);
