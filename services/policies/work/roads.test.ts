import { describe, expect, it, vi } from "vitest";
import { settled } from "../../../testing/services/driven-clock.ts";
import { createRoads, Road } from "./roads.ts";

/** Work that lasts until it is released. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: vi.fn(async (_hasWaited: boolean) => promise), release: resolve };
}

/** A road whose eight places are taken. */
function fullRoad() {
  const road = new Road();
  const first = Array.from({ length: 8 }, held);
  const runs = first.map(({ work }) => road.run(work));
  const end = async () => {
    for (const { release } of first) release();
    await Promise.all(runs);
  };
  return { road, first, end };
}

describe("A road", () => {
  it("has eight places, which need not be waited for", async () => {
    const { road, first, end } = fullRoad();
    const ninth = held();
    const run = road.run(ninth.work);
    await settled();
    for (const { work } of first) expect(work).toHaveBeenCalledExactlyOnceWith(false);
    expect(ninth.work).not.toHaveBeenCalled();
    ninth.release();
    await end();
    await run;
  });

  it("gives a place in the order of asking, and tells who had to wait", async () => {
    const { road, first, end } = fullRoad();
    const [ninth, tenth] = [held(), held()];
    const runs = [road.run(ninth.work), road.run(tenth.work)];
    first[5]?.release();
    await settled();
    expect(ninth.work).toHaveBeenCalledExactlyOnceWith(true);
    expect(tenth.work).not.toHaveBeenCalled();
    ninth.release();
    await settled();
    expect(tenth.work).toHaveBeenCalledExactlyOnceWith(true);
    tenth.release();
    await end();
    await Promise.all(runs);
  });

  it("gives back the place of what fails", async () => {
    const road = new Road();
    const fails = () => road.run(() => Promise.reject(new TypeError("No.")));
    for (let nth = 0; nth < 9; nth += 1) await expect(fails()).rejects.toThrow(TypeError);
    await expect(road.run(async (hasWaited) => hasWaited)).resolves.toBe(false);
  });

  it("has its places free again after a rush", async () => {
    const { road, end } = fullRoad();
    const waited = road.run(async () => undefined);
    await end();
    await waited;
    const again = Array.from({ length: 8 }, held);
    const runs = again.map(({ work }) => road.run(work));
    for (const { work, release } of again) {
      expect(work).toHaveBeenCalledExactlyOnceWith(false);
      release();
    }
    await Promise.all(runs);
  });

  it("is crowded while 100 wait, and full while 200 do", async () => {
    const { road, end } = fullRoad();
    const wait = (many: number) => Array.from({ length: many }, () => road.run(async () => undefined));
    const states = () => [road.isCrowded, road.isFull];
    const waiting = wait(99);
    expect(states()).toEqual([false, false]);
    waiting.push(...wait(1));
    expect(states()).toEqual([true, false]);
    waiting.push(...wait(99));
    expect(states()).toEqual([true, false]);
    waiting.push(...wait(1));
    expect(states()).toEqual([true, true]);
    await end();
    await Promise.all(waiting);
    expect(states()).toEqual([false, false]);
  });
});

describe("Roads", () => {
  it("are shared by what needs the same service, and by nothing else", () => {
    const { of } = createRoads();
    const kinds = ["mail", "submit", "refund", "purge", "fulfil"] as const;
    expect(new Set(kinds.map(of)).size).toBe(kinds.length);
    expect([of("askSubmission"), of("fail")]).toEqual([of("submit"), of("submit")]);
    expect(of("cancel")).toBe(of("refund"));
    expect(of("destroyRecord")).toBe(of("purge"));
    for (const kind of ["requestSubmission", "endDrafts", "requestRefund", "close"] as const)
      expect(of(kind)).toBe(of("fulfil"));
  });
});
