import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createMemoryEventStore, createMemoryLog } from "../../testing/event-store/memory-event-store.ts";
import {
  leavesOf,
  type MemoryTree,
  memoryTree,
  recomputed,
  write,
} from "../../testing/infra/audit-fixture.ts";
import { bookIn, type OldBook, oldBook } from "../../testing/infra/old-book-fixture.ts";
import { tilesOf } from "../../testing/infra/transparency-fixture.ts";
import type { EventStore } from "../event-store/event-store.ts";
import { hexOf } from "../transparency/formats/bytes.ts";
import { rootAt } from "../transparency/tree-proofs.ts";
import { auditLog } from "./audit-log.ts";
import { BookBroken, type CheckpointBook } from "./checkpoint-book.ts";
import { acceptLog } from "./log-acceptance.ts";

let log: ReturnType<typeof createMemoryLog>;
let store: EventStore;
let book: CheckpointBook;
let folders: OldBook["folders"];
let sign: OldBook["sign"];
let keys: OldBook["keys"];

beforeEach(async () => {
  log = createMemoryLog();
  store = createMemoryEventStore({ log });
  ({ book, folders, sign, keys } = await oldBook());
  await write(store, "order-a", "Opened", "Paid");
  await write(store, "order-b", "Opened", "Paid");
  await write(store, "order-a", "Sent");
});

const audit = () => auditLog({ store, book });
const problem = async () => (await audit()).problem;

/** Signs the current log, as older builds did. */
async function signed(): Promise<void> {
  const { events: count, rollingHash, position, eventId, logId } = await audit();
  if (eventId === null) throw new Error("There is nothing to sign.");
  const at = "2026-11-21T09:30:00.000Z";
  await sign({ count, rollingHash, position, eventId, logId, at, baseline: false });
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
    expect((await auditLog({ store })).problem).toBeNull();
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
  const file = bookIn(folder);
  await writeFile(file, change(await readFile(file, "utf8")));
};

describe("The book of an older build", () => {
  it("is read from either folder, also where a copy lacks lines, and refused where copies disagree", async () => {
    await signed();
    await write(store, "order-b", "Sent");
    await signed();
    await inBook(folders[0], (text) => text.slice(0, text.indexOf("\n") + 1));
    expect((await book.read()).map(({ count }) => count)).toEqual([5, 6]);
    expect((await book.last())?.count).toBe(6);
    await rm(dirname(bookIn(folders[0])), { recursive: true });
    expect((await book.last())?.count).toBe(6);
    await inBook(folders[1], (text) => text.replace("2026", "2025"));
    await expect(book.read()).rejects.toThrow(BookBroken);
  });

  it("may end in a line left unfinished by a crash", async () => {
    await signed();
    for (const folder of folders) await appendFile(bookIn(folder), '{"logId":"un');
    expect((await book.read()).map(({ count }) => count)).toEqual([5]);
    expect((await book.last())?.count).toBe(5);
  });

  it("must not lack a line", async () => {
    for (const type of ["One", "Two"]) {
      await write(store, "order-c", type);
      await signed();
    }
    for (const folder of folders) await inBook(folder, (text) => text.slice(text.indexOf("\n") + 1));
    await expect(book.read()).rejects.toThrow("Checkpoint 1 is not what was signed.");
  });

  it("is read across a rotation of its key, after which the old key no longer counts", async () => {
    const line = (count: number) => ({
      ...{ logId: "a log", position: String(count), eventId: `event ${count}`, count, baseline: false },
      ...{ rollingHash: "ab".repeat(32), at: "2026-11-21T09:30:00.000Z" },
    });
    const stolen = await keys.current();
    await sign(line(1));
    await keys.succeed(new Date("2026-11-21T09:31:00.000Z"));
    await sign(line(3));
    expect((await book.read()).map(({ count }) => count)).toEqual([1, 3]);
    expect(await book.last()).toMatchObject({ count: 3 });
    await sign(line(4), { current: async () => stolen });
    await expect(book.read()).rejects.toThrow("Checkpoint 3 is not what was signed.");
  });

  it("counts from the log that was accepted last", async () => {
    await signed();
    log.events.splice(4);
    expect((await problem())?.kind).toBe("cut-short");
    const { rollingHash, position, eventId, logId } = await auditLog({ store });
    const at = "2026-11-21T10:00:00.000Z";
    await sign({ count: 4, rollingHash, position, eventId: eventId ?? "", logId, at, baseline: true });
    expect(await problem()).toBeNull();
  });

  it("is put aside, and kept, once another history is accepted", async () => {
    await signed();
    await book.supersede(new Date("2026-11-21T10:00:00.000Z"));
    expect([await book.read(), await book.last()]).toEqual([[], undefined]);
    for (const folder of folders)
      expect(await readdir(dirname(bookIn(folder)))).toEqual(["checkpoints.jsonl.20261121t100000000z"]);
  });
});

describe("A restored log", () => {
  let tree: MemoryTree;
  beforeEach(async () => {
    tree = await memoryTree();
    await tree.sign(log);
  });

  it("is accepted by its mark, the start of its tree's root, although more was signed", async () => {
    log.events.splice(4);
    const root = hexOf(await rootAt(4, tilesOf(leavesOf(log))(4)));
    const mark = root.slice(0, 8);
    await expect(acceptLog({ store, tree, mark: "" })).rejects.toThrow(
      `Not accepted: the mark of this log of 4 events is ${mark}`,
    );
    const { rollingHash } = await auditLog({ store });
    expect(await acceptLog({ store, tree, mark })).toEqual({ events: 4, root, rollingHash });
  });

  it("is not accepted with a broken chain", async () => {
    const [first] = log.events;
    if (first) log.events[0] = { ...first, data: {} };
    await expect(acceptLog({ store, tree, mark: "" })).rejects.toThrow(
      "This log cannot be accepted: Event 0 of order-a is not what was appended.",
    );
  });
});
