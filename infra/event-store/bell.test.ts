import { expect, it, vi } from "vitest";
import { Bell } from "./bell.ts";

const never = new AbortController().signal;
const anHourMs = 3_600_000;

it("wakes a waiter", async () => {
  const bell = new Bell();
  const waiting = [bell.waitAfter(0, anHourMs, never), bell.waitAfter(0, anHourMs, never)];
  bell.ring();
  await Promise.all(waiting);
});

it("does not miss a ring between reading and waiting", async () => {
  const bell = new Bell();
  const seen = bell.rings;
  bell.ring();
  await bell.waitAfter(seen, anHourMs, never);
});

it("releases a waiter on timeout and on abort", async () => {
  vi.useFakeTimers();
  const bell = new Bell();
  const stop = new AbortController();
  let woken = 0;
  const waiting = bell.waitAfter(0, 1000, never).then(() => woken++);
  const stopped = bell.waitAfter(0, anHourMs, stop.signal);
  await vi.advanceTimersByTimeAsync(999);
  expect(woken).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(woken).toBe(1);
  stop.abort();
  await Promise.all([waiting, stopped, bell.waitAfter(0, anHourMs, stop.signal)]);
  vi.useRealTimers();
});
