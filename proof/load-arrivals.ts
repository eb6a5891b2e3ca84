import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";

/** Begins one order. `dueAt` is when it should have begun, by `performance.now()`: waiting counts from there. */
export type BeginOrder = (nth: number, dueAt: number) => Promise<void>;

export type Arrived = {
  readonly begun: number;
  /** By how much the latest one began after its time: above a few milliseconds the generator itself is the bottleneck. */
  readonly latestMs: number;
  /** Not begun, since too many were in hand: the target does not keep up at all. */
  readonly turnedAway: number;
  /** Those still in hand; settles with the last. */
  readonly ended: Promise<void>;
};

/** More orders in hand than this are nobody's load any more, but a queue that grows without end. */
const mostInHand = 2_000;

/**
 * Open-loop: orders arrive at a fixed rate, whatever became of those before. A target that stalls is met by those that arrive meanwhile, and
 * their waiting is counted, which callers that wait for their answers would hide.
 */
export async function arrive(perSecond: number, seconds: number, begin: BeginOrder): Promise<Arrived> {
  const inHand = new Set<Promise<void>>();
  const startedAt = performance.now();
  let turnedAway = 0;
  let latestMs = 0;
  const orders = Math.floor(perSecond * seconds);
  for (let nth = 0; nth < orders; nth++) {
    const dueAt = startedAt + (nth * 1000) / perSecond;
    const early = dueAt - performance.now();
    if (early > 0) await delay(early);
    latestMs = Math.max(latestMs, performance.now() - dueAt);
    if (inHand.size >= mostInHand) {
      turnedAway += 1;
      continue;
    }
    const order = begin(nth, dueAt);
    inHand.add(order);
    void order.finally(() => inHand.delete(order));
  }
  const left = startedAt + seconds * 1000 - performance.now();
  if (left > 0) await delay(left);
  return {
    begun: orders - turnedAway,
    latestMs,
    turnedAway,
    ended: Promise.all(inHand).then(() => undefined),
  };
}

/** Closed-loop: so many callers, each beginning the next order when the one before is done. */
export async function callInTurn(callers: number, seconds: number, begin: BeginOrder): Promise<Arrived> {
  const endAt = performance.now() + seconds * 1000;
  let nth = 0;
  const call = async (): Promise<void> => {
    while (performance.now() < endAt) await begin(nth++, performance.now());
  };
  const calling = Promise.all(Array.from({ length: callers }, call)).then(() => undefined);
  await delay(seconds * 1000);
  return { begun: nth, latestMs: 0, turnedAway: 0, ended: calling };
}
