import { pino } from "pino";
import { beforeEach, expect, test } from "vitest";
import type { PublicFacts } from "../../projections/orders/figures.ts";
import { createFactsOfService } from "./site-config.ts";

let seconds: number;
let orders: number;
let asked: number;
let broken: boolean;
let said: string[];
beforeEach(() => {
  [seconds, orders, asked, broken, said] = [0, 20, 0, false, []];
});

const factsOf = (submittedOrders: number): PublicFacts => ({
  submittedOrders,
  medianMinutesToSubmission: 0.7,
});

const facts = () =>
  createFactsOfService({
    queries: {
      publicFacts: async () => {
        asked += 1;
        if (broken) throw new Error("no database");
        return factsOf(orders);
      },
    },
    now: () => new Date(Date.UTC(2026, 10, 21, 12) + seconds * 1000),
    log: pino({}, { write: (line: string) => void said.push(line) }),
  });

const counted = () => new Promise((resolve) => setImmediate(resolve));

test("callers never wait for the facts: the first gets none, the next gets them", async () => {
  const { current } = facts();
  expect(current()).toBeNull();
  await counted();
  expect(current()).toEqual(factsOf(20));
});

test("they are counted once a minute, however often they are asked for", async () => {
  const { current } = facts();
  for (seconds = 0; seconds < 60; seconds += 1) current();
  await counted();
  expect(asked).toBe(1);
  orders = 21;
  seconds = 60;
  expect(current()).toEqual(factsOf(20));
  await counted();
  expect(asked).toBe(2);
  expect(current()).toEqual(factsOf(21));
});

test("fewer than twenty orders are no facts", async () => {
  orders = 19;
  const { current } = facts();
  current();
  await counted();
  expect(current()).toBeNull();
});

test("a database that does not answer leaves the facts as they were, and is asked again a minute later", async () => {
  const { current } = facts();
  current();
  await counted();
  broken = true;
  seconds = 60;
  current();
  await counted();
  expect(current()).toEqual(factsOf(20));
  expect(said.join()).toContain("could not be counted");
  seconds = 120;
  current();
  expect(asked).toBe(3);
});
