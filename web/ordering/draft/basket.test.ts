import { expect, test } from "vitest";
import {
  completeBirthDraft,
  completeDeathDraft,
  completeDrafts,
  completeMarriageDraft,
} from "../../../testing/pages/draft-fixture.ts";
import { memoryStorage } from "../../../testing/pages/memory-storage.ts";
import { certificatesOf, isFull } from "./basket.ts";
import { emptyAnswers } from "./certificate-answers.ts";
import { type Draft, draftIn, draftOf, emptyDraft } from "./draft.ts";
import { createDraftStore } from "./draft-store.ts";
import { furthestStep, isComplete } from "./steps.ts";

const today = "2026-11-21";

/** The store of a tab, with these certificates; the last one is open. */
function tabWith(...[first, ...others]: readonly Draft[]) {
  let made = 0;
  const storage = memoryStorage();
  const open = () =>
    createDraftStore(
      storage,
      () => today,
      () => `draft-${++made}`,
    );
  const store = open();
  store.update(first ?? emptyDraft());
  for (const { birth, death, marriage, adoption, certificateType } of others) {
    store.add(certificateType);
    store.update({ birth, death, marriage, adoption });
  }
  return { store, open, types: () => typesIn(store.current()) };
}

const typesIn = (draft: Draft) => certificatesOf(draft).map(({ certificateType }) => certificateType);
const birthAndDeath = [completeBirthDraft(), completeDeathDraft()];
const three = [...birthAndDeath, completeMarriageDraft()];

test("a draft of an older page is for one certificate", () => {
  const { others: _, place: __, ...older } = draftOf("Death");
  expect(draftIn(JSON.stringify(older))).toEqual(draftOf("Death"));
});

test("another certificate starts with empty answers and an id of its own, and keeps the contact details", () => {
  const { store, types } = tabWith(completeBirthDraft());
  const { id, birth, personalDetails } = store.current();
  store.add("Birth");
  expect(types()).toEqual(["Birth", "Birth"]);
  expect(store.current()).toMatchObject({ place: 1, birth: emptyDraft().birth, personalDetails });
  expect(store.current().id).not.toBe(id);
  expect(certificatesOf(store.current())[0]).toMatchObject({ id, birth });
});

test("each keeps its place, its answers and its id, whichever is open and after a reload", () => {
  const { store, open } = tabWith(...three);
  const before = certificatesOf(store.current());
  store.open(0);
  expect(store.current()).toMatchObject({ certificateType: "Birth", place: 0 });
  store.open(1);
  expect(store.current().death).toEqual(completeDeathDraft().death);
  expect(certificatesOf(store.current())).toEqual(before);
  expect(open().current()).toEqual(store.current());
});

test.each([
  ["before the open one", 0, ["Death", "Marriage"], "Marriage"],
  ["that is open, the last one opens", 2, ["Birth", "Death"], "Death"],
])("removing one %s", (_, place, left, opened) => {
  const { store, types } = tabWith(...three);
  store.remove(place);
  expect(types()).toEqual(left);
  expect(store.current().certificateType).toBe(opened);
});

test("the last remaining one cannot be removed", () => {
  const { store } = tabWith(completeBirthDraft());
  const before = store.current();
  store.remove(0);
  expect(store.current()).toEqual(before);
});

test("one that was removed can be put back where it stood", () => {
  const { store, types } = tabWith(...three);
  const [, death] = certificatesOf(store.current());
  if (!death) throw new Error("There is no second certificate.");
  store.remove(1);
  store.putBack(death, 1);
  expect(types()).toEqual(["Birth", "Death", "Marriage"]);
  expect(certificatesOf(store.current())[1]).toEqual(death);
  expect(store.current()).toMatchObject({ place: 2, certificateType: "Marriage" });
});

test("there are at most ten", () => {
  const { store } = tabWith(...Array.from({ length: 9 }, completeBirthDraft));
  expect(isFull(store.current())).toBe(false);
  store.add("Death");
  expect(isFull(store.current())).toBe(true);
  store.add("Death");
  expect(certificatesOf(store.current())).toHaveLength(10);
});

const signed = { signature: "Jo", acceptsTerms: true, asksToBegin: true };
const unsigned = { signature: "", acceptsTerms: false, asksToBegin: false, signAgain: true };

test.each<[string, (store: ReturnType<typeof tabWith>["store"]) => void]>([
  ["another certificate", (store) => store.add("Death")],
  ["one that is removed", (store) => store.remove(0)],
  ["other copies of one", (store) => store.update(draftOf("Adoption"))],
])("a signature ends with %s", (_, change) => {
  const { store } = tabWith(...birthAndDeath);
  store.update(signed);
  store.open(0);
  expect(store.current()).toMatchObject(signed);
  change(store);
  expect(store.current().signature).toBe("");
});

test("it says so where it ends", () => {
  const { store } = tabWith(...birthAndDeath);
  store.update(signed);
  store.remove(1);
  expect(store.current()).toMatchObject(unsigned);
});

test("one complete certificate opens the review, and only all of them the payment", () => {
  const { store } = tabWith(...completeDrafts());
  store.update(signed);
  expect(furthestStep(store.current(), today)).toBe(5);
  store.open(1);
  store.update({ death: { ...store.current().death, occupation: "" } });
  store.open(3);
  expect(furthestStep(store.current(), today)).toBe(4);
  const unfinished = certificatesOf(store.current()).filter((one) => !isComplete(one, today));
  expect(unfinished.map(({ certificateType }) => certificateType)).toEqual(["Death"]);
  for (const place of [0, 2, 3]) {
    store.open(place);
    store.update(emptyAnswers());
  }
  expect(furthestStep(store.current(), today)).toBe(3);
});

test("one about which nothing was answered can be given up, whatever its type and copies, but not the only one", () => {
  const { store, types } = tabWith(completeBirthDraft(), draftOf("Death"), completeMarriageDraft());
  store.open(1);
  store.update({ certificateOptions: { ...store.current().certificateOptions, isPriority: true } });
  store.removeUnanswered();
  expect(types()).toEqual(["Birth", "Marriage"]);
  const before = store.current();
  store.removeUnanswered();
  expect(store.current()).toBe(before);
  const { store: fresh } = tabWith(draftOf("Death"));
  fresh.removeUnanswered();
  expect(fresh.current().certificateType).toBe("Death");
});

test("another copy is asked of those that were ordered before", () => {
  const { store } = tabWith(...three);
  const [birth, death] = certificatesOf(store.current());
  store.renew([birth?.id ?? ""]);
  const [renewed, same] = certificatesOf(store.current());
  expect(renewed).toEqual({ ...birth, id: renewed?.id, isAnotherCopy: true });
  expect(renewed?.id).not.toBe(birth?.id);
  expect(same).toEqual(death);
});
