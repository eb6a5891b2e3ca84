import { expect, it } from "vitest";
import type { Position } from "../event-store/event-store.ts";
import { createPositionWaiters } from "./position-waiters.ts";

function waitersOf(options: { limit?: number; look?: () => Promise<Position> } = {}) {
  let looks = 0;
  const look = async () => {
    looks++;
    return (await options.look?.()) ?? "";
  };
  const waiters = createPositionWaiters(look, { limit: options.limit ?? 200, everyMs: 1 });
  return { ...waiters, looks: () => looks };
}

it("resolves at once for a position already reached", async () => {
  const waiters = waitersOf();
  waiters.reached("0005");
  expect(await waiters.wait("0005", 0)).toBe(true);
  expect(await waiters.wait("0004", 0)).toBe(true);
});

it("resolves as soon as this process gets there", async () => {
  const waiters = waitersOf();
  const [fifth, sixth] = [waiters.wait("0005", 5_000), waiters.wait("0006", 20)];
  waiters.reached("0005");
  expect(await fifth).toBe(true);
  expect(await sixth).toBe(false);
});

it("resolves when another process gets there, and polls only while readers wait", async () => {
  let elsewhere = "";
  const waiters = waitersOf({ look: async () => elsewhere });
  const waiting = waiters.wait("0005", 5_000);
  elsewhere = "0005";
  expect(await waiting).toBe(true);
  const looks = waiters.looks();
  await waiters.wait("0001", 1);
  expect(waiters.looks()).toBe(looks);
});

it("times out, also when the database does not answer", async () => {
  const waiters = waitersOf({ look: () => Promise.reject(new Error("no connection")) });
  expect(await waiters.wait("0005", 10)).toBe(false);
});

it("limits waiting readers: one more is refused at once, until there is room again", async () => {
  const waiters = waitersOf({ limit: 200 });
  const twoHundred = Array.from({ length: 200 }, () => waiters.wait("0005", 5_000));
  const settled: string[] = [];
  const oneMore = waiters.wait("0005", 5_000).then((reached) => settled.push(`one more: ${reached}`));
  await oneMore;
  expect(settled).toEqual(["one more: false"]);
  waiters.reached("0005");
  expect(new Set(await Promise.all(twoHundred))).toEqual(new Set([true]));
  const again = waiters.wait("0006", 5_000);
  waiters.reached("0006");
  expect(await again).toBe(true);
});
