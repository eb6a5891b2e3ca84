import { randomUUID } from "node:crypto";
import pg from "pg";
import { fingerprintOf } from "../infra/commands/repeats.ts";
import { sealEvents } from "../infra/commands/sealing.ts";
import type { ExpectedRevision, NewEvent } from "../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../infra/event-store/postgres/postgres-event-store.ts";
import { createPool } from "../infra/postgres/pool.ts";

/** A way to append one event at a time to streams of one's own. */
export type AppendDriver = {
  append: (stream: string, after: Tip) => Promise<Tip>;
  close: () => Promise<void>;
};

/** Where a stream ends: revision and hash of its last event. */
export type Tip = { revision: ExpectedRevision; hash: string | null };

/** Of JSON, data and metadata together, as it is stored. */
export const eventBytes = 680;

const eventTypes = { Measured: { version: 1 } };
const at = "2026-11-21T09:30:00.000Z";
const idleWords = "0123456789abcdef".repeat(64);

/** An event as the command handler makes it: derived id, fingerprint of its command, its link in the chain of hashes. */
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
  if (!sealed) throw new Error("One event was asked for.");
  return {
    event: sealed.stored,
    tip: { revision: sealed.recorded.revision, hash: sealed.stored.metadata.hash },
  };
}

// What the rest of an event takes; the first of a stream names no hash before it.
const restBytes = 499;
const fillingBytes = (after: Tip) => eventBytes - restBytes + (after.hash === null ? 62 : 0);

/** Ours, through the real port. */
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

/** The same events, each by a prepared insert in a transaction of its own, into a table of the same shape. */
export function singleInsertDriver(connectionString: string, connections: number): AppendDriver {
  const pool = new pg.Pool({ connectionString, max: connections });
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

/** The single inserts' table: the columns and indexes of the log. */
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
