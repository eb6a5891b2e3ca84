import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { sealEvents } from "../../infra/commands/sealing.ts";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import { positionOf } from "../../infra/event-store/position.ts";
import type { JsonObject } from "../../infra/json.ts";
import { recordedInstant } from "../../infra/recorded-instant.ts";
import { digestOf, historyFiles, kindOfFile, listFile, readHistory } from "./histories.ts";

// node testing/released-events/record-history.ts order-NAME.json seals the events that the file lists, folds them with
// today's code, and adds order-NAME.jsonl to the histories. Check what they become. For example, an event after the first
// ten of a recorded history:
//
// [{
//   "after": { "file": "order-fulfilled.jsonl", "events": 10 },
//   "events": [{
//     "type": "NoteAdded",
//     "data": { "noteRef": "4fc3993c-8e63-4323-8c7c-88ab533d57cd" },
//     "at": "2026-11-24T09:00:00.000Z",
//     "actor": { "kind": "staff", "id": "staff_1" }
//   }]
// }]

const newEvents = z.array(
  z.strictObject({
    type: z.string(),
    /** Today's, unless it is given. */
    version: z.int().optional(),
    data: z.record(z.string(), z.json()),
    at: recordedInstant,
    commandId: z.string().default(() => randomUUID()),
    actor: z.strictObject({ kind: z.string(), id: z.string() }),
    reason: z.string().optional(),
  }),
);

/** A new stream, or the first events of a recorded one. */
const given = z.union([
  z.strictObject({ stream: z.string(), events: newEvents }),
  z.strictObject({ after: z.strictObject({ file: z.string(), events: z.int().min(1) }), events: newEvents }),
]);

type Stream = { readonly stream: string; readonly stored: StoredEvent[] };

/** The stream that the first events of a recorded history make. */
function beginning(file: string, count: number): Stream {
  const stored = readHistory(file)
    .map(({ event }) => event)
    .slice(0, count);
  const [stream, another] = new Set(stored.map((event) => event.stream));
  if (stream === undefined || another !== undefined || stored.length < count)
    throw new Error(`${file} does not begin with ${count} events of one stream.`);
  return { stream, stored };
}

function sealed(history: z.infer<typeof given>, schemas: Readonly<Record<string, { version: number }>>) {
  const { stream, stored }: Stream =
    "after" in history
      ? beginning(history.after.file, history.after.events)
      : { stream: history.stream, stored: [] };
  for (const { type, version, data, at, commandId, actor, reason } of history.events) {
    const last = stored.at(-1);
    const hash = z
      .string()
      .nullable()
      .parse(last?.metadata.hash ?? null);
    const [one] = sealEvents(
      [{ type, data }],
      { [type]: { version: version ?? schemas[type]?.version ?? 0 } },
      {
        stream,
        after: { revision: last?.revision ?? "none", hash },
        metadata: { commandId, at, actor, correlationId: commandId, ...(reason !== undefined && { reason }) },
        causationId: last?.id ?? null,
        fingerprint: null,
      },
    );
    const revision = stored.length;
    if (one)
      stored.push({ ...one.stored, stream, revision, position: positionOf(revision + 1), recordedAt: at });
  }
  return stored;
}

function changes(before: JsonObject, after: JsonObject): JsonObject {
  const fields = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  const changed = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return Object.fromEntries(changed.map((field) => [field, after[field] ?? null]));
}

const [source = ""] = process.argv.slice(2);
const file = `${basename(source, ".json")}.jsonl`;
if (historyFiles().includes(file)) throw new Error(`${file} is recorded, and never edited.`);
const kind = kindOfFile(file);
const streams = z.array(given).parse(JSON.parse(readFileSync(source, "utf8")));
const stored = streams.flatMap((stream) => sealed(stream, kind.schemas));
const states = kind.statesAfter(stored);
const lines = stored.map((event, nth) => {
  const before = event.revision === 0 ? {} : states[nth - 1];
  return JSON.stringify({ event, becomes: changes(before ?? {}, states[nth] ?? {}) });
});
writeFileSync(join(import.meta.dirname, file), `${lines.join("\n")}\n`, { flag: "wx" });
appendFileSync(join(import.meta.dirname, listFile), `${digestOf(file)}  ${file}\n`);
