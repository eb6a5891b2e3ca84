import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";

/** Starts one order. `dueAt` is when it should have started, by `performance.now()`: waiting counts from there. */
type BeginOrder = (nth: number, dueAt: number) => Promise<void>;

export type Arrived = {
  readonly begun: number;
  /** Delay of the latest start: above a few milliseconds the generator itself is the bottleneck. */
  readonly latestMs: number;
  /** Not started because too many were in progress: the target does not keep up at all. */
  readonly turnedAway: number;
  /** Orders still in progress; resolves with the last. */
  readonly ended: Promise<void>;
};

/** More orders in progress than this are no longer realistic load, but an endlessly growing queue. */
const mostInHand = 2_000;

/**
 * Open-loop: orders arrive at a fixed rate, whatever happens to earlier ones. While a target stalls, new orders keep
 * arriving and their waiting counts, which closed-loop callers would hide.
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

/** Closed-loop: a number of callers, each starting the next order when the previous one is done. */
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
