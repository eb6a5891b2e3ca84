import { expect, test } from "vitest";
import { memoryStorage } from "../../../testing/pages/memory-storage.ts";
import { type Draft, draftOf } from "./draft.ts";
import { createDraftStore } from "./draft-store.ts";

const signed = { signature: "Jo", acceptsTerms: true, asksToBegin: true };
const unsigned = { signature: "", acceptsTerms: false, asksToBegin: false, signAgain: true };

function signedDraft() {
  const store = createDraftStore(memoryStorage(), () => "2026-11-21");
  store.update(draftOf("Birth"));
  store.setTotal(45);
  store.update(signed);
  return store;
}

const options = (part: Partial<Draft["certificateOptions"]>): Partial<Draft> => ({
  certificateOptions: { ...draftOf("Birth").certificateOptions, ...part },
});

test.each<[string, Partial<Draft>]>([
  ["copies", options({ fullCertificates: 2 })],
  ["service level", options({ isPriority: true, serviceType: "Express" })],
  ["type", { certificateType: "Death" }],
  ["total", { total: 47 }],
])("a signature and both ticks end with another %s", (_, change) => {
  const store = signedDraft();
  store.update(change);
  expect(store.current()).toMatchObject(unsigned);
});

test("they stand while the same is chosen once more, and while anything else is corrected", () => {
  const store = signedDraft();
  store.update({ ...options({}), certificateType: "Birth" });
  store.setTotal(45);
  store.update({ birth: { ...store.current().birth, placeOfBirth: "Bangor" } });
  expect(store.current()).toMatchObject({ ...signed, signAgain: false });
});

test("nobody is asked to sign again who has not begun to, and a fresh draft is fresh", () => {
  const store = createDraftStore(memoryStorage(), () => "2026-11-21");
  store.update({ certificateType: "Death" });
  store.setTotal(45);
  expect(store.current().signAgain).toBe(false);
  const other = signedDraft();
  other.update(draftOf("Marriage"));
  expect(other.current()).toEqual(draftOf("Marriage"));
});
