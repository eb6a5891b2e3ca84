import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type FakeClerk,
  type Misdeed,
  peerSecretKey,
  startFakeClerk,
} from "../../../testing/providers/fake-clerk-api.ts";
import { patienceMs } from "../../../testing/setup/patience.ts";
import { createSignOut } from "../../identity/ended-sessions.ts";
import { createDirectory } from "../../identity/identity-provider.ts";
import { createClerkIdentity } from "./clerk-identity.ts";

let fake: FakeClerk;
let nowMs: number;
beforeEach(async () => {
  fake = await startFakeClerk();
  nowMs = 1_000_000;
  fake.users.push(
    { id: "user_1", first_name: "Siân", last_name: "Llŷr", username: "sian" },
    { id: "user_2", first_name: null, last_name: null, username: "morgan" },
    { id: "user_3", first_name: "", last_name: null, username: null },
  );
});
afterEach(() => fake.close());

/** For a provider that never answers. */
const hasty = { timeoutMs: 500 };
const identity = ({ secretKey = peerSecretKey, timeoutMs = patienceMs } = {}) =>
  createClerkIdentity({
    secretKey,
    apiUrl: fake.url,
    nowMs: () => nowMs,
    timeoutMs,
    pauseMs: 60_000,
  });
const status = (status: number, retryAfter?: string): Misdeed => ({
  kind: "status",
  status,
  ...(retryAfter !== undefined && { retryAfter }),
});
const open = (id: string, userId = "user_1", state = "active") =>
  fake.sessions.push({ id, user_id: userId, status: state });
const statuses = () => Object.fromEntries(fake.sessions.map((one) => [one.id, one.status]));

describe("Names", () => {
  test("are full names, else user names, and nothing for the nameless or unknown", async () => {
    const names = await identity().namesOf(["user_1", "user_2", "user_3", "user_4"]);
    expect([...names]).toEqual([
      ["user_1", "Siân Llŷr"],
      ["user_2", "morgan"],
    ]);
  });

  test("are requested once in five minutes, missing ones included", async () => {
    const clerk = identity();
    const everybody = ["user_1", "user_2", "user_3", "user_4"];
    await clerk.namesOf(everybody);
    const askedFirst = fake.asked.length;
    nowMs += 299_000;
    expect((await clerk.namesOf(everybody)).get("user_1")).toBe("Siân Llŷr");
    expect(fake.asked.length).toBe(askedFirst);
    nowMs += 2_000;
    fake.users[0] = { id: "user_1", first_name: "Siân", last_name: "Rees", username: "sian" };
    expect((await clerk.namesOf(everybody)).get("user_1")).toBe("Siân Rees");
    expect(fake.asked.length).toBeGreaterThan(askedFirst);
  });

  test("of more people than fit in one request come in several", async () => {
    const many = Array.from({ length: 230 }, (_, at) => `user_many${at}`);
    for (const id of many) fake.users.push({ id, first_name: null, last_name: null, username: id });
    expect((await identity().namesOf(many)).size).toBe(230);
    expect(fake.asked.filter((line) => line.startsWith("GET /v1/users?"))).toHaveLength(3);
  });

  test("are served from memory for an hour while the provider is unavailable", async () => {
    const clerk = identity();
    await clerk.namesOf(["user_1"]);
    nowMs += 3_500_000;
    fake.misdeeds.push(...Array.from({ length: 4 }, () => status(500)));
    expect([...(await clerk.namesOf(["user_1", "user_2"]))]).toEqual([["user_1", "Siân Llŷr"]]);
    nowMs += 200_000;
    fake.misdeeds.push(...Array.from({ length: 4 }, () => status(500)));
    await expect(clerk.namesOf(["user_1"])).rejects.toMatchObject({ code: "fault" });
  });

  test("are retried once when the first try fails", async () => {
    for (const misdeed of [
      status(500),
      { kind: "silent" },
      { kind: "cut" },
      { kind: "noJson" },
      { kind: "otherShape" },
    ] as const) {
      const clerk = identity(misdeed.kind === "silent" ? hasty : {});
      // The client makes two requests for a list; either may fail, so both do.
      fake.misdeeds.push(misdeed, misdeed);
      expect((await clerk.namesOf(["user_2"])).get("user_2")).toBe("morgan");
    }
  });
});

describe("An error", () => {
  test.each<[string, Misdeed, string]>([
    ["from the server", status(500), "fault"],
    ["from a proxy", { kind: "noJson" }, "fault"],
    ["from an unexpected response shape", { kind: "otherShape" }, "fault"],
    ["from a broken connection", { kind: "cut" }, "unreachable"],
    ["from a silent server", { kind: "silent" }, "timeout"],
    ["from a refused key", status(401), "keyRefused"],
    ["from a missing permission", status(403), "keyRefused"],
    ["from a rate limit", status(429, "30"), "rateLimited"],
    ["from a rejected request", status(422), "fault"],
  ])("%s has its code, and no personal data", async (_, misdeed, code) => {
    fake.misdeeds.push(...Array.from({ length: 4 }, () => misdeed));
    const failure = await identity(misdeed.kind === "silent" ? hasty : {})
      .namesOf(["user_1"])
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "IdentityUnavailable", code });
    expect(JSON.stringify(failure) + String(failure)).not.toMatch(/user_1|Jo Smith|sk_test/);
  });

  test("from an unreachable server has its code", async () => {
    const gone = identity();
    await fake.close();
    await expect(gone.namesOf(["user_1"])).rejects.toMatchObject({ code: "unreachable" });
    fake = await startFakeClerk();
  });

  test("from a wrong key is logged as an error, any other as a warning", async () => {
    const lines: unknown[] = [];
    const log = {
      warn: (facts: object, words: string) => void lines.push(["warn", facts, words]),
      error: (facts: object, words: string) => void lines.push(["error", facts, words]),
    };
    const name = await createDirectory(identity({ secretKey: "sk_test_b3RoZXI" }), log).nameOf("user_000123");
    expect(name).toBe("user …000123");
    fake.misdeeds.push(...Array.from({ length: 4 }, () => status(500)));
    await createDirectory(identity(), log).nameOf("user_000123");
    const facts = { fault: "IdentityUnavailable", traceId: "trace_1" };
    expect(lines).toEqual([
      ["error", { ...facts, code: "keyRefused" }, "the identity provider refuses our key"],
      ["warn", { ...facts, code: "fault" }, "names of staff are unavailable"],
    ]);
  });

  test("five times in a row pauses requests, so no page waits for them", async () => {
    const clerk = identity();
    fake.misdeeds.push(...Array.from({ length: 12 }, () => status(500)));
    for (let time = 0; time < 3; time += 1) await clerk.namesOf(["user_1"]).catch(() => undefined);
    fake.misdeeds.length = 0;
    const asked = fake.asked.length;
    await expect(clerk.namesOf(["user_1"])).rejects.toMatchObject({ code: "circuitOpen" });
    expect(fake.asked.length).toBe(asked);
  });

  test.each([
    ["30", 30],
    [undefined, 10],
    ["soon", 10],
    ["86400", 300],
  ])("from a rate limit with Retry-After %s pauses requests for %i s", async (given, seconds) => {
    const clerk = identity();
    fake.misdeeds.push(status(429, given), status(429, given));
    await expect(clerk.namesOf(["user_1"])).rejects.toMatchObject({ code: "rateLimited" });
    const asked = fake.asked.length;
    nowMs += seconds * 1000 - 1;
    await expect(clerk.namesOf(["user_1"])).rejects.toMatchObject({ code: "rateLimited" });
    expect(fake.asked.length).toBe(asked);
    nowMs += 1;
    expect((await clerk.namesOf(["user_2"])).get("user_2")).toBe("morgan");
  });
});

describe("Ending a session", () => {
  test("revokes it at the provider, and leaves the others", async () => {
    open("sess_1");
    open("sess_2");
    await identity().endSession("sess_1");
    expect(statuses()).toEqual({ sess_1: "revoked", sess_2: "active" });
  });

  test("succeeds if it has ended already: unknown, or revoked before", async () => {
    open("sess_1", "user_1", "revoked");
    await identity().endSession("sess_1");
    await identity().endSession("sess_unknown");
  });

  test("fails if the provider refuses while the session stays active", async () => {
    open("sess_1", "user_1", "stuck");
    await expect(identity().endSession("sess_1")).rejects.toMatchObject({ code: "fault" });
  });

  test("is retried when the answer is lost", async () => {
    open("sess_1");
    fake.misdeeds.push({ kind: "cut" });
    await identity().endSession("sess_1");
    expect(statuses()).toEqual({ sess_1: "revoked" });
  });

  test("fails when the provider does not answer", async () => {
    open("sess_1");
    fake.misdeeds.push({ kind: "silent" }, { kind: "silent" });
    await expect(identity(hasty).endSession("sess_1")).rejects.toMatchObject({ code: "timeout" });
  });
});

describe("Ending all sessions of a person", () => {
  test("revokes active and pending sessions on every page, and no one else's", async () => {
    for (let at = 0; at < 130; at += 1) open(`sess_${at}`);
    open("sess_pending", "user_1", "pending");
    open("sess_old", "user_1", "ended");
    open("sess_other", "user_2");
    await identity().endSessionsOf("user_1");
    const { sess_other, sess_old, ...ended } = statuses();
    expect([sess_other, sess_old]).toEqual(["active", "ended"]);
    expect(new Set(Object.values(ended))).toEqual(new Set(["revoked"]));
  });

  test("succeeds for a person without sessions or unknown to the provider", async () => {
    await identity().endSessionsOf("user_1");
    fake.misdeeds.push(status(404), status(404));
    await identity().endSessionsOf("user_gone");
  });

  test("fails when a list cannot be read, with tokens so far refused all the same", async () => {
    const signedOut: string[] = [];
    const ended = {
      endSession: async (id: string) => void signedOut.push(id),
      endSessionsOf: async (id: string) => void signedOut.push(id),
    };
    fake.misdeeds.push(...Array.from({ length: 4 }, () => status(503)));
    await expect(createSignOut(identity(), ended).everywhere("user_1")).rejects.toMatchObject({
      code: "fault",
    });
    expect(signedOut).toEqual(["user_1"]);
  });

  test("fails when a session stays open, even if the provider reported its end", async () => {
    open("sess_1", "user_1", "endless");
    await expect(identity().endSessionsOf("user_1")).rejects.toMatchObject({ code: "fault" });
  });

  test("fails when the provider rejects the user id", async () => {
    fake.misdeeds.push(status(422), status(422));
    await expect(identity().endSessionsOf("user_1")).rejects.toMatchObject({ code: "fault" });
  });
});
