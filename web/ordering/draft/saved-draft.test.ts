import { expect, test, vi } from "vitest";
import { recipient } from "../../../testing/domain/form-fixture.ts";
import {
  completeBirthDraft,
  completeDeathDraft,
  completeMarriageDraft,
} from "../../../testing/pages/draft-fixture.ts";
import { memoryStorage } from "../../../testing/pages/memory-storage.ts";
import { attemptFor } from "../checkout/order-attempt.ts";
import { certificatesOf } from "./basket.ts";
import { type Draft, draftOf, emptyDraft } from "./draft.ts";

vi.stubGlobal("sessionStorage", memoryStorage());
const { answersToSave, losesUnfinished, newDraftKey, openSavedDraft, saveAnswers } = await import(
  "./saved-draft.ts"
);
const { attempts } = await import("../current-order.ts");
const { draftStore, startNewOrder } = await import("../current-order.ts");

/** Whether `opened` takes the place of answers of this tab's draft. */
function losesAnswers(current: Draft, opened: Draft): boolean {
  draftStore.update(current);
  return losesUnfinished(opened);
}

test("a save whose answer was lost is replaced by the next one, and so are all before it", async () => {
  const sent: unknown[] = [];
  const answers = [new TypeError("Failed to fetch"), new Response(null, { status: 204 })];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    const { key, replaces } = JSON.parse(body);
    sent.push({ key, replaces });
    const answer = answers.shift() ?? new Response(null, { status: 204 });
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const keys = [newDraftKey(), newDraftKey(), newDraftKey()] as const;
  const draft = answersToSave(completeBirthDraft());
  vi.spyOn(console, "error").mockReturnValue();
  await expect(saveAnswers("sian@post.example", keys[0], draft)).rejects.toThrow();
  await saveAnswers("sian@post.example", keys[0], draft);
  await saveAnswers("sian@post.example", keys[1], draft);
  await saveAnswers("sian@post.example", keys[2], draft);
  expect(sent).toEqual([
    { key: keys[0], replaces: [] },
    { key: keys[0], replaces: [] },
    { key: keys[1], replaces: [keys[0]] },
    { key: keys[2], replaces: [keys[0], keys[1]] },
  ]);
  expect(draftStore.current().savedKeys).toEqual(keys);
});

test("a recipient who was typed, and not chosen in the end, is neither saved nor an answer to lose", () => {
  const draft = completeBirthDraft();
  const withRecipient = (chosen: typeof recipient | { readonly postTo: "me" }) => ({
    ...draft,
    personalDetails: { ...draft.personalDetails, recipient: { ...recipient, ...chosen } },
  });
  expect(answersToSave(withRecipient(recipient)).personalDetails.recipient).toEqual(recipient);
  const onlyTyped = withRecipient({ postTo: "me" });
  expect(answersToSave(onlyTyped)).toEqual(answersToSave(draft));
  expect(losesAnswers(onlyTyped, draft)).toBe(false);
  expect(losesAnswers(withRecipient(recipient), draft)).toBe(true);
});

const expiresAt = "2026-11-28T09:00:00.000Z";

/** The draft that a link opens to what was saved. */
async function openedFrom(saved: object): Promise<Draft> {
  const draft = JSON.parse(JSON.stringify(saved));
  vi.stubGlobal("fetch", async () => Response.json({ draft, expiresAt }));
  const opened = await openSavedDraft(newDraftKey());
  if (!opened) throw new Error("It did not open.");
  return opened;
}

/** A birth, a death and a marriage; the death is open. */
function fillBasket(): void {
  draftStore.reset();
  draftStore.update(completeBirthDraft());
  for (const { certificateType, death, marriage } of [completeDeathDraft(), completeMarriageDraft()]) {
    draftStore.add(certificateType);
    draftStore.update({ death, marriage });
  }
  draftStore.open(1);
}

test("every certificate is saved, with the answers of its type alone, and opens where it stood", async () => {
  fillBasket();
  const saved = answersToSave(draftStore.current());
  expect(saved).toMatchObject({ certificateType: "Death", place: 1, others: [{}, {}] });
  expect(saved.others?.map(Object.keys)).toEqual([
    ["certificateType", "certificateOptions", "birth"],
    ["certificateType", "certificateOptions", "marriage"],
  ]);
  const opened = await openedFrom(saved);
  draftStore.reset();
  startNewOrder(opened);
  const certificates = certificatesOf(draftStore.current());
  expect(certificates.map(({ certificateType }) => certificateType)).toEqual(["Birth", "Death", "Marriage"]);
  expect(certificates[0]?.birth).toEqual(completeBirthDraft().birth);
  expect(certificates[1]?.death).toEqual(completeDeathDraft().death);
  expect(certificates[2]?.marriage).toEqual(completeMarriageDraft().marriage);
  const ids = certificates.map(({ id }) => id);
  expect([new Set(ids).size, ids.includes("")]).toEqual([3, false]);
});

test("a certificate that was removed is not saved", () => {
  fillBasket();
  draftStore.remove(1);
  const saved = answersToSave(draftStore.current());
  expect([saved.others?.length, saved.place]).toEqual([1, 1]);
  expect(JSON.stringify(saved)).not.toContain(completeDeathDraft().death.occupation);
  draftStore.remove(0);
  expect(answersToSave(draftStore.current())).not.toHaveProperty("others");
});

test("a link of before several certificates could be saved opens the one", async () => {
  const { others: _, place: __, ...saved } = answersToSave(completeBirthDraft());
  expect(await openedFrom(saved)).toMatchObject({ others: [], place: 0, certificateType: "Birth" });
});

test("a saved order of several takes the place of another, not of itself with another certificate open", async () => {
  fillBasket();
  const opened = await openedFrom(answersToSave(draftStore.current()));
  expect(losesUnfinished(opened)).toBe(false);
  draftStore.open(2);
  expect(losesUnfinished(opened)).toBe(false);
  draftStore.remove(0);
  expect(losesUnfinished(opened)).toBe(true);
});

test("a saved order takes the place of another with answers, of nothing else", async () => {
  const saved = { ...completeBirthDraft(), step: 4 };
  const opened = await openedFrom(answersToSave(saved));
  expect(losesAnswers(emptyDraft(), opened)).toBe(false);
  expect(losesAnswers(draftOf("Death"), opened)).toBe(false);
  expect(losesAnswers(saved, opened)).toBe(false);
  const changed = { ...saved, birth: { ...saved.birth, placeOfBirth: "Hwlffordd" } };
  expect(losesAnswers(changed, opened)).toBe(true);
  expect(losesAnswers(completeDeathDraft(), opened)).toBe(true);
});

test("an order that was paid for, and whose page was left, is no unfinished one", () => {
  draftStore.update(completeDeathDraft());
  const attempt = attempts.write(attemptFor("asked", null, "k-1"));
  expect(losesUnfinished(completeBirthDraft())).toBe(true);
  attempts.write({ ...attempt, paid: true });
  expect(losesUnfinished(completeBirthDraft())).toBe(false);
});
