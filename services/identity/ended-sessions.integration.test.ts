import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { createEndedSessions, type EndedSessions, type SessionOfToken } from "./ended-sessions.ts";

const clock = () => new Date();
let pool: Pool;
let otherPool: Pool;
let drop: () => Promise<void>;
/** Two processes sharing a database. */
let here: EndedSessions;
let there: EndedSessions;

beforeAll(async () => {
  const database = await testDatabase();
  drop = database.drop;
  pool = createPool(database.connectionString, 2);
  otherPool = createPool(database.connectionString, 2);
  here = createEndedSessions(pool, clock);
  there = createEndedSessions(otherPool, clock);
});
afterAll(async () => {
  await Promise.all([pool.end(), otherPool.end()]);
  await drop();
});

const seconds = () => Math.floor(Date.now() / 1000);
const token = (userId: string, sessionId: string, issuedAtSeconds = seconds()): SessionOfToken => ({
  userId,
  sessionId,
  issuedAtSeconds,
});

describe("An ended session", () => {
  test("is over in every process at once, for old and new tokens, without affecting others", async () => {
    const own = token("user_a", "sess_a1");
    expect(await there.hasEnded(own)).toBe(false);
    await here.endSession("sess_a1");
    expect(await there.hasEnded(own)).toBe(true);
    expect(await there.hasEnded({ ...own, issuedAtSeconds: seconds() + 3600 })).toBe(true);
    expect(await there.hasEnded(token("user_a", "sess_a2"))).toBe(false);
    expect(await there.hasEnded(token("user_b", "sess_b1"))).toBe(false);
  });

  test("can be ended again", async () => {
    await here.endSession("sess_again");
    await there.endSession("sess_again");
    expect(await here.hasEnded(token("user_again", "sess_again"))).toBe(true);
  });

  test("is not confused with a person of the same id", async () => {
    await here.endSession("same_id");
    expect(await here.hasEnded(token("same_id", "sess_other"))).toBe(false);
  });
});

describe("All sessions of a person", () => {
  test("are over for tokens issued this very second, but not for later sign-ins", async () => {
    const before = token("user_c", "sess_c1");
    await here.endSessionsOf("user_c");
    const after = token("user_c", "sess_c2");
    expect(after.issuedAtSeconds).toBeGreaterThan(before.issuedAtSeconds);
    expect(await there.hasEnded(before)).toBe(true);
    expect(await there.hasEnded(after)).toBe(false);
    expect(await there.hasEnded(token("user_d", "sess_d1", before.issuedAtSeconds))).toBe(false);
  });

  test("are over for the whole second by the clock, though it was set back meanwhile", async () => {
    let reads = 0;
    const setBack = () => new Date(Date.now() - (++reads > 3 ? 300 : 0));
    const second = () => Math.floor(setBack().getTime() / 1000);
    const before = second();
    await createEndedSessions(pool, setBack).endSessionsOf("user_f");
    expect(second()).toBeGreaterThan(before);
  });

  test("stay over when a process with a slower clock ends them again", async () => {
    const slow = createEndedSessions(pool, () => new Date(Date.now() - 3_600_000));
    await here.endSessionsOf("user_e");
    const before = token("user_e", "sess_e1", seconds() - 1);
    await slow.endSessionsOf("user_e");
    expect(await there.hasEnded(before)).toBe(true);
  });
});

test("Many sessions are checked together", async () => {
  await here.endSession("sess_m2");
  const asked = ["sess_m1", "sess_m2", "sess_m3"].map((sessionId) => token("user_m", sessionId));
  expect(await there.endedAmong(asked)).toEqual([asked[1]]);
  expect(await there.endedAmong([])).toEqual([]);
});
