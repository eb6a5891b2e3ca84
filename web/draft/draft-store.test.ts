import { expect, test, vi } from "vitest";
import { draftOf, emptyDraft } from "./draft.ts";
import { memoryStorage } from "./draft-fixture.ts";
import { createDraftStore } from "./draft-store.ts";

test("a draft survives a reload of its tab", () => {
  const storage = memoryStorage();
  createDraftStore(storage).update({ ...draftOf("Death"), signature: "Jo" });
  expect(createDraftStore(storage).current()).toMatchObject({ certificateType: "Death", signature: "Jo" });
});

test("a partial update leaves the rest as it was", () => {
  const store = createDraftStore(memoryStorage());
  store.update(draftOf("Death"));
  store.update({ signature: "Jo" });
  expect(store.current()).toEqual({ ...draftOf("Death"), signature: "Jo" });
});

test("each tab owns its draft", () => {
  const first = createDraftStore(memoryStorage());
  const second = createDraftStore(memoryStorage());
  first.update({ signature: "Jo" });
  expect(second.current().signature).toBe("");
});

test("a reset forgets everything, in storage too", () => {
  const storage = memoryStorage();
  const store = createDraftStore(storage);
  store.update({ signature: "Jo" });
  store.reset();
  expect(store.current()).toEqual(emptyDraft());
  expect(createDraftStore(storage).current()).toEqual(emptyDraft());
});

test("listeners hear each change until they leave, and an equal total is none", () => {
  const store = createDraftStore(memoryStorage());
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
