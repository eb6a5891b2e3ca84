import { randomUUID } from "node:crypto";
import { z } from "zod";
import { fingerprintOf } from "../../../infra/commands/repeats.ts";
import { sealEvents } from "../../../infra/commands/sealing.ts";
import type { ExpectedRevision, NewEvent } from "../../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../../infra/event-store/postgres/postgres-event-store.ts";
import { createPool } from "../../../infra/postgres/pool.ts";
import { loadEmmett } from "../peers/emmett.ts";

/** A way to append one event at a time to separate streams. */
export type AppendDriver = {
  append: (stream: string, after: Tip) => Promise<Tip>;
  close: () => Promise<void>;
};

/** End of a stream: revision and hash of its last event. */
export type Tip = { revision: ExpectedRevision; hash: string | null };

/** JSON bytes as stored, data and metadata together. */
export const eventBytes = 680;

const eventTypes = { Measured: { version: 1 } };
const at = "2026-11-21T09:30:00.000Z";
const idleWords = "0123456789abcdef".repeat(64);

/** An event like the command handler's: derived id, fingerprint of its command, link in the hash chain. */
async function nextEvent(stream: string, after: Tip): Promise<{ event: NewEvent; tip: Tip }> {
  const commandId = randomUUID();
  const metadata = {
    commandId,
    at,
    actor: { kind: "customer", id: commandId },
    correlationId: commandId,
  } as const;
  const sealing = { stream, after, metadata, causationId: null };
  const make = async (filling: string) => {
    const decided = { type: "Measured", data: { filling } };
    const fingerprint = await fingerprintOf(decided);
    return sealEvents([decided], eventTypes, { ...sealing, fingerprint });
  };
  const [sealed] = await make(idleWords.slice(0, fillingBytes(after)));
  if (!sealed) throw new Error("One event was expected.");
  return {
    event: sealed.stored,
    tip: { revision: sealed.recorded.revision, hash: sealed.stored.metadata.hash },
  };
}

// Size of the rest of an event; the first of a stream has no previous hash.
const restBytes = 499;
const fillingBytes = (after: Tip) => eventBytes - restBytes + (after.hash === null ? 62 : 0);

/** Our store, through the real port. */
export function batchedDriver(connectionString: string): AppendDriver {
  const pool = createPool(connectionString, 1);
  const store = createPostgresEventStore({ pool, connectionString });
  return {
    append: async (stream, after) => {
      const { event, tip } = await nextEvent(stream, after);
      await store.append({ stream, expectedRevision: after.revision, events: [event] });
      return tip;
    },
    close: async () => {
      await store.close();
      await pool.end();
    },
  };
}

/** The same events, each a prepared insert in its own transaction, into a table of the same shape. */
export function singleInsertDriver(connectionString: string, connections: number): AppendDriver {
  const pool = createPool(connectionString, connections);
  return {
    append: async (stream, after) => {
      const { event, tip } = await nextEvent(stream, after);
      const { id, type, data, metadata } = event;
      await pool.query({
        name: "insert",
        text: "insert into plain_events (stream, revision, id, type, data, metadata) values ($1, $2, $3, $4, $5, $6)",
        values: [stream, tip.revision, id, type, JSON.stringify(data), JSON.stringify(metadata)],
      });
      return tip;
    },
    close: () => pool.end(),
  };
}

/** The same events, each by Emmett's store, without projections. */
export async function emmettDriver(
  connectionString: string,
  connections: number,
  folder: string,
): Promise<AppendDriver> {
  const pool = createPool(connectionString, connections);
  const { getPostgreSQLEventStore } = loadEmmett(folder);
  const store = getPostgreSQLEventStore(connectionString, { connectionOptions: { pool } });
  await store.schema.migrate();
  return {
    append: async (stream, after) => {
      const { event, tip } = await nextEvent(stream, after);
      const { type, data, metadata } = event;
      const expectedStreamVersion =
        after.revision === "none" ? "STREAM_DOES_NOT_EXIST" : BigInt(after.revision + 1);
      await store.appendToStream(stream, [{ type, data, metadata }], { expectedStreamVersion });
      return tip;
    },
    close: () => pool.end(),
  };
}

/** Table of the single inserts, with the log's columns and indexes. */
export const plainTable = `
  create table plain_events (
    position bigint generated always as identity primary key,
    stream text collate "C" not null,
    revision integer not null,
    id uuid not null,
    type text collate "C" not null,
    data json not null,
    metadata json not null,
    recorded_at timestamptz not null default clock_timestamp(),
    unique (stream, revision)
  )`;

/** A worker's instructions: which driver, for how long, with how many concurrent callers. */
export const workOrder = z.object({
  way: z.enum(["batched", "single", "emmett"]),
  /** The folder that has Emmett. */
  emmett: z.optional(z.string()),
  connectionString: z.string(),
  callers: z.int(),
  warmUpMs: z.number(),
  measureMs: z.number(),
  /** Part of its stream names. */
  name: z.string(),
});
export type WorkOrder = z.infer<typeof workOrder>;
export type Way = WorkOrder["way"];

/** Latency of each append acknowledged while measuring. */
export const workReport = z.object({ latenciesMs: z.array(z.number()) });
export type WorkReport = z.infer<typeof workReport>;
