import { expect, it, vi } from "vitest";
import { StoreBusy } from "../event-store.ts";
import { AppendGate } from "./append-gate.ts";

/** Work that runs until ended by the test. */
function held(): { work: () => Promise<string>; begun: () => boolean; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = vi.fn(() => promise);
  return { work, begun: () => work.mock.calls.length > 0, end: () => resolve("done") };
}

const limits = { most: 2, queued: 2, waitMs: 50_000 };

it("runs one append per stream at a time, in order, while other streams proceed", async () => {
  const gate = new AppendGate(limits);
  const [first, second, other] = [held(), held(), held()];
  const results = [gate.run("a", first.work), gate.run("a", second.work), gate.run("b", other.work)];
  await expect.poll(() => [first, second, other].map(({ begun }) => begun())).toEqual([true, false, true]);
  first.end();
  await expect.poll(() => second.begun()).toBe(true);
  second.end();
  other.end();
  expect(await Promise.all(results)).toEqual(["done", "done", "done"]);
});

it("is busy while too many wait, and recovers when they are done", async () => {
  const gate = new AppendGate(limits);
  const works = ["a", "b", "c", "d"].map((stream) => ({ stream, ...held() }));
  const results = works.map(({ stream, work }) => gate.run(stream, work));
  await expect(gate.run("e", held().work)).rejects.toThrow(StoreBusy);
  for (const { end } of works) end();
  await Promise.all(results);
  expect(await gate.run("e", async () => "in")).toBe("in");
});

it("refuses an append that waited too long, without starting its work", async () => {
  const gate = new AppendGate({ ...limits, waitMs: 20 });
  const [first, second] = [held(), held()];
  const running = gate.run("a", first.work);
  await expect(gate.run("a", second.work)).rejects.toThrow("waited too long");
  first.end();
  await running;
  expect(second.begun()).toBe(false);
});

it("continues after failed work, and reports when it is idle", async () => {
  const gate = new AppendGate(limits);
  await expect(gate.run("a", () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  const last = held();
  const running = gate.run("a", last.work);
  let idle = false;
  const waiting = gate.idle().then(() => {
    idle = true;
  });
  await expect.poll(() => last.begun()).toBe(true);
  expect(idle).toBe(false);
  last.end();
  await running;
  await waiting;
});
