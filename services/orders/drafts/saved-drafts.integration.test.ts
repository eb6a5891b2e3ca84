import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mostDraftBytes } from "../../../domain/saved-draft/sealed-records.ts";
import { mostLinkedDrafts } from "../../../domain/saved-draft/vocabulary.ts";
import { draftOfBytes, longestDraft } from "../../../testing/gateway/full-draft-fixture.ts";
import { draftBody, newDraftKey, orderBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { startTestStack, type TestStack } from "../../../testing/gateway/stack-fixture.ts";

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

const save = (changes: Record<string, unknown> = {}) =>
  stack.browser().post("/api/drafts", draftBody(changes));
const open = (key: string) => stack.browser().post("/api/drafts/open", { key });
const remove = (key: string) => stack.browser().post("/api/drafts/delete", { key });

async function savedKey(changes: Record<string, unknown> = {}): Promise<string> {
  const key = newDraftKey();
  // An address of its own: each takes only so many mails.
  const email = `${randomUUID()}@post.example`;
  expect((await save({ key, email, ...changes })).status).toBe(204);
  return key;
}

describe("A saved order", () => {
  test("opens on another device by its key, as it was left, for seven days", async () => {
    const key = await savedKey();
    const { status, body } = await open(key);
    expect(status).toBe(200);
    expect(body.draft).toEqual(draftBody().draft);
    const days = (Date.parse(body.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
  });

  test("of one certificate opens as it was left, as it did before orders had several", async () => {
    const { others: _, place: __, ...draft } = draftBody().draft;
    expect((await open(await savedKey({ draft }))).body.draft).toEqual(draft);
  });

  test("opens with ten certificates, their answers as long as the forms accept in letters of three bytes", async () => {
    const draft = longestDraft();
    expect((await open(await savedKey({ draft }))).body.draft).toEqual(draft);
  });

  test("is refused as too long by its own limit, which the gateway's is above", async () => {
    const replaces = Array.from({ length: mostLinkedDrafts }, newDraftKey);
    const email = `${"a".repeat(60)}@${"b".repeat(60)}.example`;
    const saveOf = (bytes: number) => save({ draft: draftOfBytes(bytes), replaces, email });
    expect((await saveOf(mostDraftBytes)).status).toBe(204);
    const { status, body } = await saveOf(mostDraftBytes + 1);
    expect(status).toBe(422);
    expect(body.errors).toEqual({ draft: "The answers are too long to save" });
  });

  test("is saved once under one key, whatever comes again", async () => {
    const before = BigInt(await stack.head());
    const key = await savedKey();
    const after = await stack.head();
    expect(BigInt(after)).toBeGreaterThan(before);
    await savedKey({ key });
    expect(await stack.head()).toBe(after);
    const again = await savedKey({ email: "repeated@post.example" });
    for (let n = 0; n < 6; n++) await savedKey({ key: again, email: "repeated@post.example" });
    const last = await savedKey({ email: "repeated@post.example" });
    expect((await open(last)).status, "repeats are not counted as mails").toBe(200);
  });

  test("answers every wrong, ended and deleted key alike", async () => {
    const [deleted, replaced] = [await savedKey(), await savedKey()];
    expect((await remove(deleted)).status).toBe(204);
    await savedKey({ replaces: [replaced] });
    const answers = [await open(newDraftKey()), await open(deleted), await open(replaced)];
    const plain = answers.map(({ status, body: { requestId: _, ...body } }) => ({ status, body }));
    expect(plain).toEqual([plain[0], plain[0], plain[0]]);
    expect(plain[0]?.status).toBe(404);
  });

  test("is deleted once, and again without harm; an unknown key deletes nothing", async () => {
    const key = await savedKey();
    expect([(await remove(key)).status, (await remove(key)).status]).toEqual([204, 204]);
    expect((await remove(newDraftKey())).status).toBe(404);
  });

  test("takes the place of all that this tab saved before, one that was never saved among them", async () => {
    const before = [await savedKey(), newDraftKey(), await savedKey()];
    const key = await savedKey({ replaces: before });
    for (const replaced of before) expect((await open(replaced)).status).toBe(404);
    expect((await open(key)).status).toBe(200);
    await savedKey({ key, replaces: before });
    expect((await open(key)).status).toBe(200);
  });

  test("opens by its newest link alone, where an earlier save arrives late", async () => {
    const [late, newest] = [newDraftKey(), newDraftKey()];
    await savedKey({ key: newest, replaces: [late] });
    const records = async () =>
      (
        await stack.pool.query(
          "select count(*)::integer as n from vault_records where ciphertext is not null",
        )
      ).rows[0];
    const before = await records();
    for (let time = 0; time < 2; time++) await savedKey({ key: late });
    expect((await open(late)).status).toBe(404);
    expect((await remove(late)).status).toBe(404);
    expect((await open(newest)).status).toBe(200);
    expect(await records(), "nothing of it is kept").toEqual(before);
  });

  test("is mailed five times an hour to one address; beyond that nothing is saved or replaced", async () => {
    const email = "often@post.example";
    const keys: string[] = [];
    for (let n = 0; n < 5; n++) keys.push(await savedKey({ email: n % 2 ? email : email.toUpperCase() }));
    const refused = await savedKey({ email, replaces: keys });
    expect((await open(refused)).status).toBe(404);
    for (const key of keys) expect((await open(key)).status).toBe(200);
    expect((await open(await savedKey())).status).toBe(200);
  });

  test("stays while its order is not paid, and its key is in no event of the order", async () => {
    const key = await savedKey();
    const order = orderBody({ savedDrafts: [key, newDraftKey()] });
    expect((await stack.browser().post("/api/orders", order)).status).toBe(201);
    expect((await open(key)).status).toBe(200);
    const { rows } = await stack.pool.query<{ written: string }>(
      "select string_agg(type || data || metadata, '') as written from events where stream like 'order-%'",
    );
    expect(rows[0]?.written).toContain("SavedDraftsLinked");
    expect(rows[0]?.written).not.toContain(key);
  });

  test("refuses fields that no form asks for, a key of another length and an address that is none", async () => {
    const before = await stack.head();
    const { draft } = draftBody();
    const bodies = [
      { draft: { ...draft, signature: "Siân Rhys" } },
      { draft: { ...draft, step: 5 } },
      { draft: { ...draft, place: 2 } },
      { key: "short" },
      { replaces: ["short"] },
      { replaces: Array.from({ length: 11 }, newDraftKey) },
      { email: "nobody" },
      { surprise: true },
      { draft: { ...draft, personalDetails: { ...draft.personalDetails, firstName: "x".repeat(501) } } },
    ];
    for (const changes of bodies) expect((await save(changes)).status, JSON.stringify(changes)).toBe(422);
    expect((await open("short")).status).toBe(422);
    expect(await stack.head()).toBe(before);
  });

  test("leaves no word of it, and not its key, in the log of events or the log of requests", async () => {
    const key = await savedKey({ email: "unmistakable@post.example" });
    await open(key);
    const { rows } = await stack.pool.query<{ written: string }>(
      "select string_agg(type || data || metadata, '') as written from events where stream like 'saved-draft-%'",
    );
    const written = `${rows[0]?.written ?? ""}${stack.logLines.join("")}`;
    expect(written).toContain("DraftSaved");
    for (const word of ["unmistakable", "Siân", "Aberystwyth", "Schoolteacher", key])
      expect(written).not.toContain(word);
  });
});
