import { describe, expect, it, vi } from "vitest";
import { settled } from "../../../testing/services/driven-clock.ts";
import { createRoads, Road, RoadFull } from "./roads.ts";

/** Work that lasts until it is released. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: vi.fn(async (_hasWaited: boolean) => promise), release: resolve };
}

/** A road whose eight places are taken. */
function fullRoad(mostWaiting?: number) {
  const road = new Road(mostWaiting);
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

  it("turns away what would be one too many to wait", async () => {
    const { road, end } = fullRoad(2);
    const waiting = [1, 2].map(() => road.run(async () => undefined));
    const work = vi.fn(async () => undefined);
    await expect(road.run(work)).rejects.toThrow(RoadFull);
    await end();
    await Promise.all(waiting);
    expect(work).not.toHaveBeenCalled();
    await road.run(work);
    expect(work).toHaveBeenCalledOnce();
  });

  it("has at most 200 waiting, but any number for reading", async () => {
    const { road, end } = fullRoad();
    const waiting = Array.from({ length: 200 }, () => road.run(async () => undefined));
    await expect(road.run(async () => undefined)).rejects.toThrow(RoadFull);
    const { reading } = createRoads();
    const slow = Array.from({ length: 8 }, held);
    const reads = [...slow.map(({ work }) => reading.run(work)), ...Array(1_000)].map(
      (run) => run ?? reading.run(async () => undefined),
    );
    await end();
    for (const { release } of slow) release();
    await Promise.all([...waiting, ...reads]);
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
