import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { draftBody, newDraftKey } from "../../testing/gateway/request-bodies-fixture.ts";
import { startTestStack, type TestStack } from "../../testing/gateway/stack-fixture.ts";

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

const save = (changes: Record<string, unknown> = {}) =>
  stack.browser().post("/api/drafts", draftBody(changes));
const open = (key: string) => stack.browser().post("/api/drafts/open", { key });
const remove = (key: string, because = "requested") =>
  stack.browser().post("/api/drafts/delete", { key, because });

async function savedKey(changes: Record<string, unknown> = {}): Promise<string> {
  const key = newDraftKey();
  expect((await save({ key, ...changes })).status).toBe(204);
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

  test("is saved once under one key, whatever comes again", async () => {
    const before = BigInt(await stack.head());
    const key = await savedKey();
    const after = await stack.head();
    expect(BigInt(after)).toBeGreaterThan(before);
    await savedKey({ key });
    expect(await stack.head()).toBe(after);
  });

  test("answers every wrong, ended and deleted key alike", async () => {
    const [deleted, ordered] = [await savedKey(), await savedKey()];
    expect((await remove(deleted)).status).toBe(204);
    expect((await remove(ordered, "ordered")).status).toBe(204);
    const answers = [await open(newDraftKey()), await open(deleted), await open(ordered)];
    const plain = answers.map(({ status, body: { requestId: _, ...body } }) => ({ status, body }));
    expect(plain).toEqual([plain[0], plain[0], plain[0]]);
    expect(plain[0]?.status).toBe(404);
  });

  test("is deleted once, and again without harm; an unknown key deletes nothing", async () => {
    const key = await savedKey();
    expect([(await remove(key)).status, (await remove(key)).status]).toEqual([204, 204]);
    expect((await remove(newDraftKey())).status).toBe(404);
  });

  test("takes the place of the one that this tab saved before", async () => {
    const first = await savedKey();
    const second = await savedKey({ replaces: first });
    expect((await open(first)).status).toBe(404);
    expect((await open(second)).status).toBe(200);
  });

  test("refuses fields that no form asks for, a key of another length and an address that is none", async () => {
    const before = await stack.head();
    const { draft } = draftBody();
    const bodies = [
      { draft: { ...draft, signature: "Siân Rhys" } },
      { draft: { ...draft, step: 5 } },
      { key: "short" },
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
    for (const word of ["unmistakable", "Siân", "Aberystwyth", key]) expect(written).not.toContain(word);
  });
});
