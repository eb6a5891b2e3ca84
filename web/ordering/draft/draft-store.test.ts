import { expect, test, vi } from "vitest";
import { completeDeathDraft } from "../../../testing/pages/draft-fixture.ts";
import { memoryStorage } from "../../../testing/pages/memory-storage.ts";
import { type Draft, draftOf, emptyDraft } from "./draft.ts";
import { createDraftStore } from "./draft-store.ts";

const today = () => "2026-11-21";

test("a draft survives a reload of its tab", () => {
  const storage = memoryStorage();
  createDraftStore(storage, today).update({ ...draftOf("Death"), signature: "Jo" });
  expect(createDraftStore(storage, today).current()).toMatchObject({
    certificateType: "Death",
    signature: "Jo",
  });
});

test("a partial update leaves the rest as it was", () => {
  const store = createDraftStore(memoryStorage(), today);
  store.update(draftOf("Death"));
  store.update({ signature: "Jo" });
  expect(store.current()).toEqual({ ...draftOf("Death"), signature: "Jo" });
});

test("each tab owns its draft", () => {
  const first = createDraftStore(memoryStorage(), today);
  const second = createDraftStore(memoryStorage(), today);
  first.update({ signature: "Jo" });
  expect(second.current().signature).toBe("");
});

test("a reset forgets everything, in storage too", () => {
  const storage = memoryStorage();
  const store = createDraftStore(storage, today);
  store.update({ signature: "Jo" });
  store.reset();
  expect(store.current()).toEqual(emptyDraft());
  expect(createDraftStore(storage, today).current()).toEqual(emptyDraft());
});

test("listeners hear each change until they leave, and an equal total is none", () => {
  const store = createDraftStore(memoryStorage(), today);
  const listener = vi.fn();
  const leave = store.subscribe(listener);
  store.setTotal(45);
  store.setTotal(45);
  expect(listener).toHaveBeenCalledTimes(1);
  leave();
  store.setTotal(90);
  expect(listener).toHaveBeenCalledTimes(1);
  expect(store.current().total).toBe(90);
});

const specified = [
  ["certificateType", "certificateOptions", "personalDetails", "certificateDetails", "eventDetails"],
  ["groReference", "applyingForOwn", "adopted", "signature", "total"],
].flat();

test("what is stored has the fields of the specification's order draft, with its defaults", () => {
  const storage = memoryStorage();
  createDraftStore(storage, today).update({ signature: "Jo" });
  const stored = JSON.parse(storage.getItem("order-draft") ?? "");
  expect(Object.keys(stored)).toEqual(expect.arrayContaining(specified));
  expect(stored).toMatchObject({
    certificateType: "Birth",
    certificateDetails: {},
    eventDetails: {},
    groReference: "",
    applyingForOwn: true,
    adopted: false,
    total: 0,
  });
});

test("a complete draft is stored with the details that the GRO is sent, and comes back as it was", () => {
  const storage = memoryStorage();
  createDraftStore(storage, today).update(completeDeathDraft());
  expect(JSON.parse(storage.getItem("order-draft") ?? "")).toMatchObject({
    certificateDetails: {
      DeceasedName: "Owen Evans",
      AgeAtDeath: 84,
      Occupation: "Schoolteacher",
      NumberOfCopies: 1,
    },
    eventDetails: { EventRegistrationLocation: "England or Wales", EventType: "Death" },
  });
  expect(createDraftStore(storage, today).current()).toEqual(completeDeathDraft());
});

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

test("an unsigned draft never asks to sign again, and a new draft is empty", () => {
  const store = createDraftStore(memoryStorage(), () => "2026-11-21");
  store.update({ certificateType: "Death" });
  store.setTotal(45);
  expect(store.current().signAgain).toBe(false);
  const other = signedDraft();
  other.update(draftOf("Marriage"));
  expect(other.current()).toEqual(draftOf("Marriage"));
});
