import type { Request, Response } from "express";
import { z } from "zod";
import type { staffUpdate, Topic } from "../../../contract/back-office/overview.ts";
import {
  beginning,
  type EventStore,
  type Position,
  type StoredEvent,
} from "../../../infra/event-store/event-store.ts";
import type { Log } from "../../../infra/process/log.ts";
import type { EndedSessions, SessionOfToken } from "../../identity/ended-sessions.ts";
import { Problem } from "../errors/problem.ts";
import { createSharedFollowing, createSseResponse, type SseResponse } from "./shared-following.ts";

/** Times in milliseconds. */
export type StaffUpdateSettings = {
  readonly mostStreams: number;
  readonly mostPerPerson: number;
  /** Interval of keep-alives, session checks and health checks. */
  readonly beatEveryMs: number;
  /** A stream ends after this time; the browser reconnects and is identified again. */
  readonly longestMs: number;
  readonly collectMs: number;
};

export const usualStaffUpdateSettings: StaffUpdateSettings = {
  mostStreams: 500,
  mostPerPerson: 12,
  beatEveryMs: 5_000,
  longestMs: 5 * 60_000,
  collectMs: 300,
};

export type StaffUpdates = {
  /**
   * Answers with a stream that names what changed, without its content. It ends with its session.
   * @throws Problem 429 if the person has used up their share of streams, 503 if there are too many or the gateway is
   * stopping
   */
  readonly open: (request: Request, response: Response, session: SessionOfToken) => Promise<void>;
  readonly close: () => void;
};

type StaffUpdatesParts = {
  readonly store: Pick<EventStore, "follow" | "head">;
  readonly ended: Pick<EndedSessions, "endedAmong">;
  /** Current problems in one line. Pages are notified when the line changes. */
  readonly health: () => Promise<string>;
  readonly log: Log;
  readonly settings: StaffUpdateSettings;
};

type Open = SessionOfToken & { readonly stream: SseResponse };

export function createStaffUpdates({ store, ended, health, log, settings }: StaffUpdatesParts): StaffUpdates {
  const open = new Set<Open>();
  const collected = createCollected();
  /**
   * Users whose role changed since the last beat, and since the one before: a reconnect in between may have used the
   * old role.
   */
  let changedRoles = new Set<string>();
  let changedEarlier: ReadonlySet<string> = new Set();
  const following = createSharedFollowing({ store, log, heard, lost: endAll });
  let reporting: NodeJS.Timeout | undefined;
  let beating: NodeJS.Timeout | undefined;
  let lastHealth: string | undefined;
  let closed = false;

  function heard(events: readonly StoredEvent[]): void {
    for (const event of events) {
      const change = changeOf(event);
      if (change) collected.add(change, event.position);
      // They reconnect, and the new role decides.
      const person = roleChangedIn(event);
      if (person === undefined) continue;
      changedRoles.add(person);
      endWhere(({ userId }) => userId === person);
    }
    reportSoon();
  }

  function reportSoon(): void {
    if (!collected.isEmpty()) reporting ??= setTimeout(report, settings.collectMs);
  }

  function report(): void {
    reporting = undefined;
    const { changes, position } = collected.take();
    for (const { stream } of open) for (const change of changes) stream.changed(position, change);
  }

  async function beat(): Promise<void> {
    for (const { stream } of open) stream.beat();
    endWhere(({ userId }) => changedRoles.has(userId) || changedEarlier.has(userId));
    // Kept for at least a whole beat: a change just before this one must not be forgotten with it.
    [changedEarlier, changedRoles] = [changedRoles, new Set()];
    try {
      for (const { stream } of await ended.endedAmong([...open])) stream.end();
      const now = await health();
      if (lastHealth !== undefined && now !== lastHealth) {
        collected.add({ topic: "health", key: "health" }, beginning);
        reportSoon();
      }
      lastHealth = now;
    } catch (error) {
      // It is unknown which sessions are over: all reconnect and are checked.
      log.warn({ code: error instanceof Error ? error.name : "unknown" }, "back-office updates ended");
      endAll();
    }
  }

  function endWhere(concerns: (one: Open) => boolean): void {
    for (const one of open) if (concerns(one)) one.stream.end();
  }

  function endAll(): void {
    endWhere(() => true);
  }

  function enter(response: Response, session: SessionOfToken): SseResponse {
    const own = [...open].filter(({ userId }) => userId === session.userId).length;
    if (closed || open.size >= settings.mostStreams) throw noRoom("busy");
    if (own >= settings.mostPerPerson) throw noRoom("too-many-requests");
    const stream = createSseResponse(response);
    const one = { ...session, stream };
    open.add(one);
    beating ??= setInterval(() => void beat(), settings.beatEveryMs);
    const ending = setTimeout(stream.end, settings.longestMs);
    response.once("close", () => {
      clearTimeout(ending);
      open.delete(one);
      if (open.size > 0) return;
      clearInterval(beating);
      beating = undefined;
      lastHealth = undefined;
    });
    return stream;
  }

  return {
    async open(request, response, session) {
      const stream = enter(response, session);
      await following.begin();
      if (response.destroyed) return;
      stream.begin();
      if (closed || request.method === "HEAD") stream.end();
    },
    close() {
      closed = true;
      endAll();
      following.stop();
      clearTimeout(reporting);
      clearInterval(beating);
    },
  };
}

const noRoom = (code: "busy" | "too-many-requests"): Problem =>
  new Problem(code, "Too many pages are waiting for updates.", { headers: { "Retry-After": "60" } });

type Change = Readonly<z.output<typeof staffUpdate>>;

/** More changes of one topic than this are reported as one without a name: pages reload the list anyway. */
const mostKeys = 20;

const subject = /^(order|ticket|saved-draft)-(.+)$/;
const topicOf = new Map<string | undefined, Topic>([
  ["order", "orders"],
  ["ticket", "tickets"],
  ["saved-draft", "drafts"],
]);

type Named = Change & { readonly key: string };

/** Topic and key of an event, from the stream's name alone; undefined for streams that no page shows. */
function changeOf({ stream }: Pick<StoredEvent, "stream">): Named | undefined {
  if (stream === "settings") return { topic: "settings", key: "settings" };
  const [, kind, key] = subject.exec(stream) ?? [];
  const topic = topicOf.get(kind);
  return topic && key !== undefined ? { topic, key } : undefined;
}

const aboutCustomers = z.object({ userId: z.string() });

/** The user whose role an event changed; undefined for all other events. */
function roleChangedIn({ type, data }: Pick<StoredEvent, "type" | "data">): string | undefined {
  if (type !== "StaffGranted" && type !== "StaffRevoked") return undefined;
  const parsed = aboutCustomers.safeParse(data);
  return parsed.success ? parsed.data.userId : undefined;
}

function createCollected() {
  const keys = new Map<Topic, Set<string>>();
  let newest: Position = beginning;
  return {
    add({ topic, key }: Named, position: Position): void {
      keys.set(topic, (keys.get(topic) ?? new Set()).add(key));
      if (position > newest) newest = position;
    },
    isEmpty: (): boolean => keys.size === 0,
    /** Empties the collection. @returns the changes, each once, with the newest position */
    take(): { readonly changes: readonly Change[]; readonly position: Position } {
      const changes = [...keys].flatMap(([topic, named]): Change[] =>
        named.size > mostKeys ? [{ topic, key: null }] : [...named].map((key) => ({ topic, key })),
      );
      keys.clear();
      return { changes, position: newest };
    },
  };
}
