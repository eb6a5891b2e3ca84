import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createMemoryEventStore, createMemoryLog } from "../../testing/event-store/memory-event-store.ts";
import { newBook, recomputed, write } from "../../testing/infra/audit-fixture.ts";
import type { EventStore } from "../event-store/event-store.ts";
import { acceptLog } from "./accept-log.ts";
import { auditLog } from "./audit-log.ts";
import { BookBroken, type CheckpointBook } from "./checkpoint-book.ts";

const tree = { detailsOf: () => undefined };
let log: ReturnType<typeof createMemoryLog>;
let store: EventStore;
let book: CheckpointBook;
let folders: [string, string];
let reopen: () => Promise<CheckpointBook>;

beforeEach(async () => {
  log = createMemoryLog();
  store = createMemoryEventStore({ log });
  ({ book, folders, reopen } = await newBook());
  await write(store, "order-a", "Opened", "Paid");
  await write(store, "order-b", "Opened", "Paid");
  await write(store, "order-a", "Sent");
});

const audit = () => auditLog({ store, book });
const problem = async () => (await audit()).problem;

/** Signs the current log, as the auditor does. */
async function signed(): Promise<void> {
  const { events: count, rollingHash, position, eventId, logId } = await audit();
  if (eventId === null) throw new Error("There is nothing to sign.");
  await book.append({
    count,
    rollingHash,
    position,
    eventId,
    logId,
    baseline: false,
    at: "2026-11-21T09:30:00.000Z",
  });
}

it("finds no problem in an unchanged log", async () => {
  await signed();
  await write(store, "order-b", "Sent");
  await signed();
  expect(await audit()).toMatchObject({ events: 6, streams: 2, checkpoints: 2, problem: null });
});

describe("finds", () => {
  const replace = (index: number, change: object) => {
    const event = log.events[index];
    if (event) log.events[index] = { ...event, ...change };
  };

  it("a changed event, by its stream and revision", async () => {
    replace(1, { data: { amount: 999 } });
    expect(await problem()).toMatchObject({ kind: "chain-broken", stream: "order-a", revision: 1 });
  });

  it("a removed event", async () => {
    log.events.splice(1, 1);
    expect(await problem()).toMatchObject({ kind: "chain-broken", stream: "order-a" });
  });

  it("an inserted event", async () => {
    const [first] = log.events;
    if (first) log.events.splice(1, 0, { ...first, id: crypto.randomUUID(), revision: 1 });
    expect(await problem()).toMatchObject({ kind: "chain-broken", stream: "order-a", revision: 1 });
  });

  it("an event that was moved to another stream", async () => {
    replace(4, { stream: "order-b", revision: 2 });
    expect(await problem()).toMatchObject({ kind: "chain-broken", stream: "order-b", revision: 2 });
  });

  it.each([
    ["two swapped events", () => log.events.splice(1, 2, ...log.events.slice(1, 3).reverse())],
    [
      "a missing stream",
      () => log.events.splice(0, 5, ...log.events.filter(({ stream }) => stream === "order-a")),
    ],
    [
      "a recomputed chain",
      () => {
        replace(3, { data: { amount: 7 } });
        const anew = recomputed(log.events.filter(({ stream }) => stream === "order-b"));
        for (const event of anew) replace(event.revision === 0 ? 2 : 3, event);
      },
    ],
  ])("%s, by its checkpoint, although each stream is consistent", async (_, tamper) => {
    await signed();
    tamper();
    renumber();
    expect((await problem())?.kind).toMatch(/differs-from-checkpoint|cut-short/);
    // Without the signed checkpoints this goes unnoticed.
    const blind = { ...book, read: async () => [] };
    expect((await auditLog({ store, book: blind })).problem).toBeNull();
  });

  const renumber = () => {
    const positions = log.events.map(({ position }) => position).sort();
    log.events.forEach((event, index) => {
      log.events[index] = { ...event, position: positions[index] ?? event.position };
    });
  };

  it("a truncated tail", async () => {
    await signed();
    log.events.splice(4);
    expect(await problem()).toMatchObject({
      kind: "cut-short",
      words: "The log holds 4 events, but 5 were signed: the newest 1 are gone.",
    });
  });

  it("another log", async () => {
    await signed();
    log.id = "another";
    expect((await problem())?.kind).toBe("other-log");
  });

  it("a changed checkpoint, even one that fits the log", async () => {
    await signed();
    log.events.splice(4);
    for (const folder of folders) await inBook(folder, (text) => text.replace('"count":5', '"count":4'));
    expect((await problem())?.kind).toBe("checkpoints-broken");
  });
});

const inBook = async (folder: string, change: (text: string) => string) => {
  const file = join(folder, "audit", "checkpoints.jsonl");
  await writeFile(file, change(await readFile(file, "utf8")));
};

describe("The book of checkpoints", () => {
  it("reads the same after reopening, and from its mirror", async () => {
    await signed();
    const [here, there] = await Promise.all(
      folders.map((folder) => readFile(join(folder, "audit", "checkpoints.jsonl"), "utf8")),
    );
    expect(here).toBe(there);
    expect(await (await reopen()).read()).toEqual(await book.read());
  });

  it("completes a copy that was missing lines, and refuses copies that disagree", async () => {
    await signed();
    await rm(join(folders[1], "audit"), { recursive: true });
    await write(store, "order-b", "Sent");
    await signed();
    expect(await book.read()).toHaveLength(2);
    await inBook(folders[1], (text) => text.replace("2026", "2025"));
    await expect(book.read()).rejects.toThrow(BookBroken);
  });

  it("drops a line left unfinished by a crash", async () => {
    await signed();
    for (const folder of folders)
      await appendFile(join(folder, "audit", "checkpoints.jsonl"), '{"logId":"un');
    await write(store, "order-b", "Sent");
    await signed();
    expect((await book.read()).map(({ count }) => count)).toEqual([5, 6]);
    expect((await book.last())?.count).toBe(6);
  });

  it("detects a removed line", async () => {
    for (const type of ["One", "Two"]) {
      await write(store, "order-c", type);
      await signed();
    }
    for (const folder of folders) await inBook(folder, (text) => text.slice(text.indexOf("\n") + 1));
    await expect(book.read()).rejects.toThrow("Checkpoint 1 is not what was signed.");
  });

  it("lets the operator accept a restored log by its mark, without hiding what was before", async () => {
    await signed();
    log.events.splice(4);
    const accept = (mark: string) => acceptLog({ store, book, tree, mark, at: "2026-11-21T10:00:00.000Z" });
    const mark = (await audit()).rollingHash.slice(0, 8);
    await expect(accept("")).rejects.toThrow(`Not accepted: the mark of this log of 4 events is ${mark}`);
    await accept(mark);
    expect(await problem()).toBeNull();
    expect((await book.read()).map(({ count, baseline }) => [count, baseline])).toEqual([
      [5, false],
      [4, true],
    ]);
  });

  it("refuses to accept a log with a broken chain", async () => {
    const [first] = log.events;
    if (first) log.events[0] = { ...first, data: {} };
    await expect(acceptLog({ store, book, tree, mark: "", at: "2026-11-21T10:00:00.000Z" })).rejects.toThrow(
      "This log cannot be accepted: Event 0 of order-a is not what was appended.",
    );
  });
});
