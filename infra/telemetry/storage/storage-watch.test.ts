import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStorageWatch } from "./storage-watch.ts";

type Line = { level: "warn" | "info"; words: string; facts: object };

/** Waits on the test's clock. */
const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((done) => {
    const timer = setTimeout(done, ms);
    const end = () => {
      clearTimeout(timer);
      done();
    };
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end);
  });

let lines: Line[];
let answers: { database: boolean; "event store": boolean };
let watch: ReturnType<typeof createStorageWatch>;
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  answers = { database: true, "event store": true };
  const say = (level: Line["level"]) => (facts: object, words: string) =>
    void lines.push({ level, words, facts });
  const probe = (part: keyof typeof answers) => async () => {
    if (!answers[part]) throw new Error("No answer.");
  };
  watch = createStorageWatch({
    probes: { database: probe("database"), "event store": probe("event store") },
    log: { warn: say("warn"), info: say("info") },
    nowMs: () => Date.now(),
    pause,
  });
});
afterEach(async () => {
  const ended = watch[Symbol.asyncDispose]();
  await vi.runAllTimersAsync();
  await ended;
  vi.useRealTimers();
});

const fault = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
const signal = new AbortController().signal;
const wordsSaid = () => lines.map(({ words }) => words);

describe("An outage", () => {
  it("is logged once, then every minute, and once when it is over, however many errors there are", async () => {
    answers["event store"] = false;
    for (let second = 0; second < 200; second++) {
      for (let n = 0; n < 50; n++) watch.suspect(fault);
      await vi.advanceTimersByTimeAsync(1000);
    }
    answers["event store"] = true;
    await vi.advanceTimersByTimeAsync(1000);
    expect(wordsSaid()).toEqual([
      "storage does not answer: what needs it waits",
      "storage still does not answer",
      "storage still does not answer",
      "storage still does not answer",
      "storage answers again",
    ]);
    expect(lines[0]?.facts).toEqual({ away: ["event store"], code: "ECONNREFUSED" });
    expect(lines.at(-1)?.facts).toMatchObject({ away: ["event store"], faults: 10_000 });
  });

  it("releases waiting work within a second of its end, and calls back", async () => {
    const back = vi.fn();
    watch.onBack(back);
    answers.database = false;
    watch.suspect(fault);
    let wasAway: boolean | undefined;
    void watch.over(signal).then((away) => {
      wasAway = away;
    });
    await vi.advanceTimersByTimeAsync(300_000);
    expect([wasAway, back.mock.calls.length]).toEqual([undefined, 0]);
    answers.database = true;
    await vi.advanceTimersByTimeAsync(1000);
    expect([wasAway, back.mock.calls.length]).toEqual([true, 1]);
  });

  it("refuses at once only work that needs the unreachable part", async () => {
    answers["event store"] = false;
    watch.suspect(fault);
    await expect(watch.expect("event store")).rejects.toThrow("The event store does not answer.");
    await expect(watch.expect("database")).resolves.toBeUndefined();
    answers["event store"] = true;
    await vi.advanceTimersByTimeAsync(1000);
    await expect(watch.expect("event store")).resolves.toBeUndefined();
  });

  it("is noticed when a part accepts requests without answering", async () => {
    await using frozen = createStorageWatch({
      probes: { database: () => new Promise(() => undefined) },
      log: { warn: () => undefined, info: () => undefined },
      pause,
    });
    frozen.suspect(fault);
    const expecting = expect(frozen.expect("database")).rejects.toThrow("The database does not answer.");
    await vi.advanceTimersByTimeAsync(2000);
    await expecting;
    const ended = frozen[Symbol.asyncDispose]();
    await vi.runAllTimersAsync();
    await ended;
  });

  it("does not delay stopping", async () => {
    answers.database = false;
    watch.suspect(fault);
    const stopping = new AbortController();
    const waiting = watch.over(stopping.signal);
    stopping.abort();
    expect(await waiting).toBe(false);
  });
});

describe("An error while everything answers", () => {
  it("makes the failed work wait, ever longer, and is logged once a minute", async () => {
    const waits: number[] = [];
    for (let n = 0; n < 8; n++) {
      watch.suspect(fault);
      const since = Date.now();
      const over = watch.over(signal);
      await vi.advanceTimersToNextTimerAsync();
      expect(await over).toBe(false);
      waits.push(Date.now() - since);
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
    expect(wordsSaid()).toEqual(["storage answers, but something that needs it failed"]);
  });

  it("does not hide a following outage", async () => {
    watch.suspect(fault);
    await vi.advanceTimersByTimeAsync(1000);
    answers.database = false;
    watch.suspect(fault);
    await vi.advanceTimersByTimeAsync(1000);
    expect(wordsSaid().at(-1)).toBe("storage does not answer: what needs it waits");
  });
});

it("Storage without errors is not probed, and delays nothing", async () => {
  answers.database = false;
  expect(await watch.over(signal)).toBe(false);
  await expect(watch.expect("database")).resolves.toBeUndefined();
});
