import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type ClerkPeer,
  type Misdeed,
  peerSecretKey,
  startClerkPeer,
} from "../../../testing/services/fake-clerk-api.ts";
import { createDirectory } from "../../identity/directory.ts";
import { createSignOut } from "../../identity/sign-out.ts";
import { createClerkIdentity } from "./clerk-identity.ts";

let peer: ClerkPeer;
let nowMs: number;
beforeEach(async () => {
  peer = await startClerkPeer();
  nowMs = 1_000_000;
  peer.users.push(
    { id: "user_1", first_name: "Siân", last_name: "Llŷr", username: "sian" },
    { id: "user_2", first_name: null, last_name: null, username: "morgan" },
    { id: "user_3", first_name: "", last_name: null, username: null },
  );
});
afterEach(() => peer.close());

const identity = (secretKey = peerSecretKey) =>
  createClerkIdentity({
    secretKey,
    apiUrl: peer.url,
    nowMs: () => nowMs,
    timeoutMs: 300,
    pauseMs: 60_000,
  });
const status = (status: number, retryAfter?: string): Misdeed => ({
  kind: "status",
  status,
  ...(retryAfter !== undefined && { retryAfter }),
});
const open = (id: string, userId = "user_1", state = "active") =>
  peer.sessions.push({ id, user_id: userId, status: state });
const statuses = () => Object.fromEntries(peer.sessions.map((one) => [one.id, one.status]));

describe("Names", () => {
  test("are full names, else user names, and nothing for who has none or is unknown", async () => {
    const names = await identity().namesOf(["user_1", "user_2", "user_3", "user_4"]);
    expect([...names]).toEqual([
      ["user_1", "Siân Llŷr"],
      ["user_2", "morgan"],
    ]);
  });

  test("are asked for once in five minutes, those that nobody has as well", async () => {
    const clerk = identity();
    const everybody = ["user_1", "user_2", "user_3", "user_4"];
    await clerk.namesOf(everybody);
    const askedFirst = peer.asked.length;
    nowMs += 299_000;
    expect((await clerk.namesOf(everybody)).get("user_1")).toBe("Siân Llŷr");
    expect(peer.asked.length).toBe(askedFirst);
    nowMs += 2_000;
    peer.users[0] = { id: "user_1", first_name: "Siân", last_name: "Rees", username: "sian" };
    expect((await clerk.namesOf(everybody)).get("user_1")).toBe("Siân Rees");
    expect(peer.asked.length).toBeGreaterThan(askedFirst);
  });

  test("of more people than one request may name come in several", async () => {
    const many = Array.from({ length: 230 }, (_, at) => `user_many${at}`);
    for (const id of many) peer.users.push({ id, first_name: null, last_name: null, username: id });
    expect((await identity().namesOf(many)).size).toBe(230);
    expect(peer.asked.filter((line) => line.startsWith("GET /v1/users?"))).toHaveLength(3);
  });

  test("from before serve while nobody answers, for an hour", async () => {
    const clerk = identity();
    await clerk.namesOf(["user_1"]);
    nowMs += 3_500_000;
    peer.misdeeds.push(...Array.from({ length: 4 }, () => status(500)));
    expect([...(await clerk.namesOf(["user_1", "user_2"]))]).toEqual([["user_1", "Siân Llŷr"]]);
    nowMs += 200_000;
    peer.misdeeds.push(...Array.from({ length: 4 }, () => status(500)));
    await expect(clerk.namesOf(["user_1"])).rejects.toMatchObject({ code: "fault" });
  });

  test("come at the second try when the first fails", async () => {
    for (const misdeed of [
      status(500),
      { kind: "silent" },
      { kind: "cut" },
      { kind: "noJson" },
      { kind: "otherShape" },
    ] as const) {
      const clerk = identity();
      // Of the two requests that the client makes for a list, either may meet it: both do.
      peer.misdeeds.push(misdeed, misdeed);
      expect((await clerk.namesOf(["user_2"])).get("user_2")).toBe("morgan");
    }
  });
});

describe("A fault", () => {
  test.each<[string, Misdeed, string]>([
    ["of the server", status(500), "fault"],
    ["of something before the server", { kind: "noJson" }, "fault"],
    ["of a list in another shape", { kind: "otherShape" }, "fault"],
    ["of the connection", { kind: "cut" }, "unreachable"],
    ["of a server that is silent", { kind: "silent" }, "timeout"],
    ["of our key", status(401), "keyRefused"],
    ["of what the key may do", status(403), "keyRefused"],
    ["of how much was asked", status(429, "30"), "rateLimited"],
    ["of what was asked", status(422), "fault"],
  ])("%s says which it is, and nothing about anybody", async (_, misdeed, code) => {
    peer.misdeeds.push(...Array.from({ length: 4 }, () => misdeed));
    const failure = await identity()
      .namesOf(["user_1"])
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "IdentityUnavailable", code });
    expect(JSON.stringify(failure) + String(failure)).not.toMatch(/user_1|Jo Smith|sk_test/);
  });

  test("of a server that is not there is one too", async () => {
    const gone = identity();
    await peer.close();
    await expect(gone.namesOf(["user_1"])).rejects.toMatchObject({ code: "unreachable" });
    peer = await startClerkPeer();
  });

  test("of a wrong key is an alarm in the log, and any other a warning", async () => {
    const lines: unknown[] = [];
    const log = {
      warn: (facts: object, words: string) => void lines.push(["warn", facts, words]),
      error: (facts: object, words: string) => void lines.push(["error", facts, words]),
    };
    const name = await createDirectory(identity("sk_test_b3RoZXI"), log).nameOf("user_000123");
    expect(name).toBe("user …000123");
    peer.misdeeds.push(...Array.from({ length: 4 }, () => status(500)));
    await createDirectory(identity(), log).nameOf("user_000123");
    const facts = { fault: "IdentityUnavailable", traceId: "trace_1" };
    expect(lines).toEqual([
      ["error", { ...facts, code: "keyRefused" }, "the identity provider refuses our key"],
      ["warn", { ...facts, code: "fault" }, "no names of staff"],
    ]);
  });

  test("five times in a row stops the asking, so that no page waits for it", async () => {
    const clerk = identity();
    peer.misdeeds.push(...Array.from({ length: 12 }, () => status(500)));
    for (let time = 0; time < 3; time += 1) await clerk.namesOf(["user_1"]).catch(() => undefined);
    peer.misdeeds.length = 0;
    const asked = peer.asked.length;
    await expect(clerk.namesOf(["user_1"])).rejects.toMatchObject({ code: "circuitOpen" });
    expect(peer.asked.length).toBe(asked);
  });

  test.each([
    ["30", 30],
    [undefined, 10],
    ["soon", 10],
    ["86400", 300],
  ])("of too many requests, to be repeated after %s, stops the asking for %i s", async (given, seconds) => {
    const clerk = identity();
    peer.misdeeds.push(status(429, given), status(429, given));
    await expect(clerk.namesOf(["user_1"])).rejects.toMatchObject({ code: "rateLimited" });
    const asked = peer.asked.length;
    nowMs += seconds * 1000 - 1;
    await expect(clerk.namesOf(["user_1"])).rejects.toMatchObject({ code: "rateLimited" });
    expect(peer.asked.length).toBe(asked);
    nowMs += 1;
    expect((await clerk.namesOf(["user_2"])).get("user_2")).toBe("morgan");
  });
});

describe("The end of a session", () => {
  test("is asked for at the provider, and leaves the others", async () => {
    open("sess_1");
    open("sess_2");
    await identity().endSession("sess_1");
    expect(statuses()).toEqual({ sess_1: "revoked", sess_2: "active" });
  });

  test("that has come already is none to ask for: unknown, or revoked before", async () => {
    open("sess_1", "user_1", "revoked");
    await identity().endSession("sess_1");
    await identity().endSession("sess_unknown");
  });

  test("that the provider refuses while the session goes on is a fault", async () => {
    open("sess_1", "user_1", "stuck");
    await expect(identity().endSession("sess_1")).rejects.toMatchObject({ code: "fault" });
  });

  test("is asked for again when the answer is lost", async () => {
    open("sess_1");
    peer.misdeeds.push({ kind: "cut" });
    await identity().endSession("sess_1");
    expect(statuses()).toEqual({ sess_1: "revoked" });
  });

  test("is no end when nobody answers", async () => {
    open("sess_1");
    peer.misdeeds.push({ kind: "silent" }, { kind: "silent" });
    await expect(identity().endSession("sess_1")).rejects.toMatchObject({ code: "timeout" });
  });
});

describe("The end of all sessions of a person", () => {
  test("ends those that give tokens and those that may yet, page after page, and nobody else's", async () => {
    for (let at = 0; at < 130; at += 1) open(`sess_${at}`);
    open("sess_pending", "user_1", "pending");
    open("sess_old", "user_1", "ended");
    open("sess_other", "user_2");
    await identity().endSessionsOf("user_1");
    const { sess_other, sess_old, ...ended } = statuses();
    expect([sess_other, sess_old]).toEqual(["active", "ended"]);
    expect(new Set(Object.values(ended))).toEqual(new Set(["revoked"]));
  });

  test("of who has none, or whom the provider does not know, is done", async () => {
    await identity().endSessionsOf("user_1");
    peer.misdeeds.push(status(404), status(404));
    await identity().endSessionsOf("user_gone");
  });

  test("is a fault when a list cannot be had, and the tokens so far are refused all the same", async () => {
    const told: string[] = [];
    const ended = {
      endSession: async (id: string) => void told.push(id),
      endSessionsOf: async (id: string) => void told.push(id),
    };
    peer.misdeeds.push(...Array.from({ length: 4 }, () => status(503)));
    await expect(createSignOut(identity(), ended).everywhere("user_1")).rejects.toMatchObject({
      code: "fault",
    });
    expect(told).toEqual(["user_1"]);
  });

  test("is a fault when a session stays open, whatever the provider said of its end", async () => {
    open("sess_1", "user_1", "endless");
    await expect(identity().endSessionsOf("user_1")).rejects.toMatchObject({ code: "fault" });
  });

  test("is a fault when the provider does not understand who is meant", async () => {
    peer.misdeeds.push(status(422), status(422));
    await expect(identity().endSessionsOf("user_1")).rejects.toMatchObject({ code: "fault" });
  });
});
