import { beforeEach, describe, expect, it } from "vitest";
import { createMemoryEventStore, createMemoryLog } from "../../testing/event-store/memory-event-store.ts";
import {
  checkpointOver,
  leavesOf,
  type MemoryTree,
  memoryTree,
  recomputed,
  write,
} from "../../testing/infra/audit-fixture.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import type { EventStore, StoredEvent } from "../event-store/event-store.ts";
import { positionOf } from "../event-store/position.ts";
import { publishedCheckpoint } from "../transparency/checkpoint-file.ts";
import type { AuditProblem } from "./audit-problem.ts";
import { type AuditProgress, openAuditProgress } from "./audit-progress.ts";
import { compareTrees } from "./compare-tiles.ts";
import { dueAudit, runAudit } from "./run-audit.ts";

let log: ReturnType<typeof createMemoryLog>;
let store: EventStore;
let tree: MemoryTree;
let progress: AuditProgress;
let now: Date;
/** Positions after which events were read. */
let readAfter: string[];

/** Writes ten streams of events. */
async function grow(count: number, names = "event"): Promise<void> {
  for (let n = 0; n < count; n++) await write(store, `${names}-${n % 10}`, "Happened");
}

beforeEach(async () => {
  log = createMemoryLog();
  const memory = createMemoryEventStore({ log });
  readAfter = [];
  store = {
    append: (request) => memory.append(request),
    readStream: (stream, from) => memory.readStream(stream, from),
    eventAt: (position) => memory.eventAt(position),
    logId: () => memory.logId(),
    head: () => memory.head(),
    follow: (options) => memory.follow(options),
    close: () => memory.close(),
    readAll: (after, limit) => {
      readAfter.push(after);
      return memory.readAll(after, limit);
    },
  };
  tree = await memoryTree();
  progress = openAuditProgress(temporaryFolder("progress"));
  now = new Date("2026-11-21T09:30:00.000Z");
});

const run = (kind: "whole" | "new-events" = "whole", more: Partial<Parameters<typeof runAudit>[0]> = {}) =>
  runAudit({ store, tree, progress, now: () => now, kind, ...more });

const found = async (): Promise<AuditProblem | null> => (await run()).problem;

const replace = (index: number, change: Partial<StoredEvent>): void => {
  const event = log.events[index];
  if (event) log.events[index] = { ...event, ...change };
};

/** Gives the events positions in their order, as a skilled attacker would. */
const renumber = (): void => {
  for (const index of log.events.keys()) replace(index, { position: positionOf(index + 1) });
};

describe("The whole read", () => {
  beforeEach(async () => {
    await grow(330);
    await tree.sign(log);
  });

  it.each([1, 2, 5])("finds an intact log to be what was signed, %i parts at once", async (atOnce) => {
    const { kind, problem, events, streams, report } = await run("whole", { atOnce });
    expect([kind, problem, events, streams]).toEqual(["whole", null, 330, 10]);
    expect(report.verified?.tree.root()).toEqual(publishedCheckpoint(tree.noteKept ?? "").root);
    // Where a mark lets the second part begin; one part alone needs no marks.
    expect(readAfter.filter((after) => after === positionOf(64))).toHaveLength(atOnce > 1 ? 1 : 0);
  });

  it("does not rely on its marks", async () => {
    tree.marks = tree.marks.map((mark, at) => (at === 1 ? { ...mark, position: positionOf(100) } : mark));
    expect(await run("whole", { atOnce: 2 })).toMatchObject({ problem: null, events: 330 });
    tree.marks = [];
    expect(await run("whole", { atOnce: 2 })).toMatchObject({ problem: null, events: 330 });
  });

  it("keeps only small parts of the log in memory, unless it reads several at once", async () => {
    await grow(1_000);
    const reached: number[] = [];
    await run("whole", { onProgress: (events) => reached.push(events) });
    expect(reached).toEqual([1_024, 1_330]);
  });

  it("goes on where it was killed, and compares what was read before too", async () => {
    const killed = new AbortController();
    const first = run("whole", {
      signal: killed.signal,
      atOnce: 2,
      onProgress: (events) => events >= 128 && killed.abort(),
    });
    await expect(first).rejects.toThrow();
    readAfter = [];
    const { events, streams, report, problem } = await run();
    expect([events, streams, problem]).toEqual([330, 10, null]);
    expect(report.from?.tree.size).toBeGreaterThanOrEqual(128);
    expect(readAfter).not.toContain("");
    expect(report.rollingHash).toBe((await run("whole", { afresh: true })).report.rollingHash);
  });

  it("begins anew when it was killed long ago, or the log is another", async () => {
    const { report } = await run();
    if (!report.verified) throw new Error("The log agrees with nothing.");
    await progress.keepUnfinished(report.verified, now);
    expect((await run()).report.from?.tree.size).toBe(330);
    await progress.keepUnfinished(report.verified, now);
    now = new Date(now.getTime() + 25 * 3_600_000);
    expect((await run()).report.from).toBeUndefined();
    await progress.keepUnfinished({ ...report.verified, logId: "another" }, now);
    expect((await run()).report.from).toBeUndefined();
    await progress.keepUnfinished({ ...report.verified, eventId: "another" }, now);
    expect((await run()).report.from).toBeUndefined();
  });
});

describe("The daily audit", () => {
  beforeEach(async () => {
    await grow(200);
    await tree.sign(log);
    await run();
    await grow(130);
    await tree.sign(log);
    readAfter = [];
  });

  it("reads what is newer than the last verified checkpoint, and proves that the new one extends it", async () => {
    expect(await run("new-events")).toMatchObject({ kind: "new-events", problem: null, events: 130 });
    expect(readAfter[0]).toBe(positionOf(200));
    expect((await progress.verified(log.id))?.tree.size).toBe(330);
    expect(await run("new-events")).toMatchObject({ problem: null, events: 0 });
  });

  it("does not read what it verified, and the whole audit finds damage there", async () => {
    replace(50, { data: { amount: 999 } });
    expect((await run("new-events")).problem).toBeNull();
    expect((await found())?.kind).toBe("event-changed");
  });

  it("keeps what it verified when it finds something", async () => {
    replace(250, { data: { amount: 999 } });
    const { problem } = await run("new-events");
    expect(problem).toMatchObject({ kind: "event-changed", stream: "event-0", revision: 25 });
    expect((await progress.verified(log.id))?.tree.size).toBe(200);
  });

  it("reads everything where no checkpoint was verified", async () => {
    await progress.forget();
    expect(await run("new-events")).toMatchObject({ kind: "whole", events: 330 });
  });

  it("is due every day, and the whole audit every week and after a finding", () => {
    const at = (days: number) => new Date(Date.parse("2026-11-01T00:00:00Z") + days * 86_400_000);
    const audit = (
      kind: "whole" | "new-events" | "following",
      days: number,
      problem: AuditProblem | null,
    ) => ({
      ...{ id: "1", kind, startedAt: "", finishedAt: at(days).toISOString(), problem },
      ...{ events: 1, streams: 1, checkpoints: 1 },
    });
    const wrong: AuditProblem = { kind: "cut-short", stream: null, revision: null, words: "Cut." };
    const whole = audit("whole", 0, null);
    expect(dueAudit(undefined, undefined, at(0))).toBe("whole");
    expect(dueAudit(whole, whole, at(0.9))).toBeUndefined();
    expect(dueAudit(whole, whole, at(1))).toBe("new-events");
    expect(dueAudit(audit("new-events", 6, null), whole, at(6.9))).toBeUndefined();
    expect(dueAudit(audit("new-events", 6, null), whole, at(7))).toBe("whole");
    expect(dueAudit(audit("new-events", 2, wrong), whole, at(3))).toBe("whole");
    expect(dueAudit(audit("new-events", 2, null), audit("whole", 0, wrong), at(3))).toBe("whole");
    expect(dueAudit(audit("following", 0.5, wrong), whole, at(0.6))).toBeUndefined();
    expect(dueAudit(audit("following", 0.5, wrong), whole, at(1))).toBe("whole");
  });
});

describe("Two checkpoints", () => {
  it("are compared by few tiles, and no event", async () => {
    await grow(30);
    await tree.sign(log);
    const older = publishedCheckpoint(tree.noteKept ?? "");
    await grow(600);
    await tree.sign(log);
    const newer = publishedCheckpoint(tree.noteKept ?? "");
    readAfter = [];
    tree.tilesRead = 0;
    expect(await compareTrees(older, newer, tree.tiles)).toBe("extended");
    expect(readAfter).toEqual([]);
    expect(tree.tilesRead).toBeLessThanOrEqual(4);
    const other = { ...older, root: newer.root };
    expect(await compareTrees(other, newer, tree.tiles)).toBe("forked");
    expect(await compareTrees({ ...newer, root: older.root }, newer, tree.tiles)).toBe("forked");
    tree.spoil = (tile) => tile.fill(7);
    expect(await compareTrees(older, newer, tree.tiles)).toBe("unproven");
    tree.spoil = (tile) => tile.slice(0, 32);
    expect(await compareTrees(older, newer, tree.tiles)).toBe("unproven");
  });
});

describe("Damage is named:", () => {
  beforeEach(async () => {
    await grow(300);
    await tree.sign(log);
    expect(await found()).toBeNull();
  });

  it("a changed event", async () => {
    replace(100, { data: { amount: 999 } });
    expect(await found()).toEqual({
      ...{ kind: "event-changed", stream: "event-0", revision: 10 },
      words: "Event 101 of the log (10 of event-0) is not what was appended: its content was changed.",
    });
  });

  it("a changed event with a new hash of its own", async () => {
    const [anew] = recomputed(log.events.slice(7, 8).map((event) => ({ ...event, data: { amount: 8 } })));
    replace(7, anew ?? {});
    expect(await found()).toMatchObject({ kind: "event-changed", stream: "event-7", revision: 0 });
  });

  it.each([
    ["in the middle", 100, 2],
    ["at the end of its stream", 296, 1],
  ])("missing events, %s", async (_, index, count) => {
    log.events.splice(index, count);
    renumber();
    expect(await found()).toMatchObject({
      kind: "event-missing",
      words: expect.stringContaining(
        `${count} event${count === 1 ? "" : "s"} missing after the first ${index} of`,
      ),
    });
  });

  it("an inserted event, even one with a stream of its own that agrees with itself", async () => {
    const elsewhere = createMemoryEventStore();
    await write(elsewhere, "event-new", "Happened");
    const [event] = await elsewhere.readAll("", 1);
    if (event) log.events.splice(100, 0, event);
    renumber();
    expect(await found()).toMatchObject({
      kind: "event-inserted",
      stream: "event-new",
      words: expect.stringMatching(
        /^Event 101 of the log \(0 of event-new\) was inserted: 1 event at that place/,
      ),
    });
  });

  it("two events that changed places", async () => {
    const [one, other] = [log.events[100], log.events[105]];
    if (one && other) {
      log.events[100] = other;
      log.events[105] = one;
    }
    renumber();
    expect(await found()).toMatchObject({
      kind: "events-reordered",
      words: "The events 101 to 106 of the log are in another order than they were appended in.",
    });
  });

  it("a tail that was cut off", async () => {
    log.events.splice(290);
    expect(await found()).toMatchObject({
      kind: "cut-short",
      words: "The log holds 290 events, but 300 were signed: the newest 10 are gone.",
    });
  });

  /** Changes an event and chains its stream anew. */
  function rewrite(): void {
    const stream = log.events.filter((event) => event.stream === "event-3");
    const anew = recomputed(
      stream.map((event) => (event.revision === 5 ? { ...event, data: { amount: 8 } } : event)),
    );
    log.events = log.events.map((event) => anew.find(({ id }) => id === event.id) ?? event);
  }

  it("a stream whose chain was recomputed", async () => {
    rewrite();
    expect(await found()).toMatchObject({
      ...{ kind: "chain-rewritten", stream: "event-3", revision: 5 },
      words:
        "The log was rewritten: its own hashes agree, but its events from number 54 on are not those of the signed checkpoint of 300 events.",
    });
  });

  it("a recomputed chain with a recomputed tree", async () => {
    rewrite();
    tree.leaves = leavesOf(log);
    expect(await found()).toMatchObject({
      kind: "chain-rewritten",
      words:
        "The log was rewritten: its own hashes agree, but its events are not those of the signed checkpoint of 300 events.",
    });
  });

  it("a tree that was forked: everything recomputed, and signed with the log's own key", async () => {
    rewrite();
    await grow(10);
    await tree.sign(log);
    const forkedTree = {
      kind: "tree-forked",
      words:
        "Two signed checkpoints contradict each other: the log of 300 events is not the beginning of the log of 310 events. Two histories were signed.",
    };
    readAfter = [];
    expect(await found()).toMatchObject(forkedTree);
    expect(readAfter).toEqual([]);
  });

  it("a fork that only a checkpoint kept elsewhere shows", async () => {
    const elsewhere = publishedCheckpoint(tree.noteKept ?? "");
    rewrite();
    await tree.sign(log);
    await progress.forget();
    expect(await found()).toBeNull();
    expect((await run("whole", { seen: [elsewhere] })).problem?.kind).toBe("tree-forked");
  });

  it("a checkpoint that was rolled back, alone or with the log", async () => {
    const before = await checkpointOver(leavesOf(log).slice(0, 250), tree.signer);
    tree.noteKept = before;
    expect(await found()).toMatchObject({
      kind: "checkpoint-rolled-back",
      words:
        "The newest checkpoint beside the keys is one of 250 events, but one of 300 events was signed and seen: the key folder was set back to an earlier state.",
    });
    tree.notePublished = before;
    // What the last audit verified shows it as well.
    expect((await found())?.kind).toBe("checkpoint-rolled-back");
    tree.noteKept = undefined;
    expect((await found())?.words).toContain("beside the keys is missing");
    await progress.forget();
    tree.noteKept = before;
    expect(await found()).toBeNull();
  });

  it.each([
    ["leaves", 0, "tile/0/000"],
    ["the level above", 1, "tile/1/000"],
  ])("a damaged tile of %s", async (_, level, path) => {
    tree.marks = [];
    tree.spoil = (tile, place) => (place.level === level ? tile.with(3, 255 - (tile[3] ?? 0)) : tile);
    expect(await found()).toMatchObject({
      kind: "tile-damaged",
      words: `The log is intact, but the tree's ${path} is damaged: its hashes are not those of the events.`,
    });
    tree.spoil = (tile, place) => (place.level === level ? tile.slice(0, 16) : tile);
    expect((await found())?.kind).toBe("tile-damaged");
  });

  it("a checkpoint that no key of the log signed", async () => {
    const forged = await checkpointOver(leavesOf(log), (await memoryTree()).signer);
    tree.noteKept = forged;
    expect(await found()).toMatchObject({
      kind: "checkpoints-broken",
      words:
        "The transparency log's checkpoint beside the keys is not what was signed. The log did not sign the checkpoint.",
    });
    tree.noteKept = tree.notePublished;
    tree.notePublished = forged;
    expect((await found())?.words).toContain("checkpoint in the database is not what was signed");
  });

  it("nothing, though the tree is grown anew and has few leaves yet", async () => {
    tree.leaves = tree.leaves.slice(0, 20);
    expect(await found()).toBeNull();
    log.events.splice(290);
    expect((await found())?.kind).toBe("cut-short");
    replace(7, { data: { amount: 999 } });
    // What was there cannot be told before the tree is as large as the checkpoint.
    expect((await found())?.kind).toBe("chain-broken");
  });
});
