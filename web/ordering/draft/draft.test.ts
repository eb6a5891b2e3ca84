import { describe, expect, test, vi } from "vitest";
import { certificateTypes } from "../../../domain/forms/options.ts";
import {
  completeBirthDraft,
  completeDeathDraft,
  completeDrafts,
} from "../../../testing/pages/draft-fixture.ts";
import { memoryStorage } from "../../../testing/pages/memory-storage.ts";
import { emptyAnswers } from "./certificate-answers.ts";
import { type Draft, draftAsked, draftIn, draftOf, emptyDraft } from "./draft.ts";
import { createDraftStore } from "./draft-store.ts";
import { furthestStep } from "./steps.ts";

describe("a draft", () => {
  test("starts as a birth with no copies, for oneself, registered in England or Wales", () => {
    const draft = emptyDraft();
    expect(draft.certificateType).toBe("Birth");
    expect(draft.certificateOptions).toEqual({
      fullCertificates: 0,
      shortCertificates: 0,
      isPriority: false,
      serviceType: "Standard",
      deliveryMethod: "Post",
      apostille: false,
    });
    expect(draft.personalDetails.address.country).toBe("United Kingdom");
    expect(draft.birth.birthCountry).toBe("England and Wales");
    expect(draft.birth.registrationLocation).toBe("England or Wales");
    expect(draft.birth.applyingForOwn).toBe("yes");
    expect(draft.total).toBe(0);
  });

  test("of an older page is for the customer, without a reference", () => {
    const { recipient: _, customerReference: __, ...personalDetails } = emptyDraft().personalDetails;
    const opened = draftIn(JSON.stringify({ ...emptyDraft(), personalDetails }));
    expect(opened?.personalDetails).toMatchObject({ recipient: { postTo: "me" }, customerReference: "" });
  });

  test("of a chosen type has one full copy and no short one", () => {
    const { certificateType, certificateOptions } = draftOf("Death");
    expect(certificateType).toBe("Death");
    expect(certificateOptions.fullCertificates).toBe(1);
    expect(certificateOptions.shortCertificates).toBe(0);
  });

  test("comes back from storage as it went in, half typed answers included", () => {
    const draft = { ...draftOf("Death"), signature: "Zoë" };
    draft.death.occupation = "Glöckn";
    expect(draftIn(JSON.stringify(draft))).toEqual(draft);
  });

  test("of an older page keeps what still fits, and starts the rest empty", () => {
    const older = { ...draftOf("Birth"), certificateType: "Banns", step: 9, signature: "Jo" };
    expect(draftIn(JSON.stringify(older))).toMatchObject({
      certificateType: "Birth",
      step: 1,
      signature: "Jo",
    });
  });

  test("of a page that knew fewer forms keeps the ones it has", () => {
    const { marriage: _, adoption: __, ...older } = { ...draftOf("Death"), signature: "Jo" };
    older.death.occupation = "Weaver";
    const found = draftIn(JSON.stringify(older));
    expect(found?.death.occupation).toBe("Weaver");
    expect(found?.marriage.registrationLocation).toBe("England or Wales");
  });

  test.each([null, "", "not json", "7", "{}"])("is not found in %j", (stored) => {
    expect(draftIn(stored)).toBeUndefined();
  });
});

test.each(["Birth", "birth", "BIRTH", " bIrTh "])("%j starts a draft of a birth", (asked) => {
  expect(draftAsked(asked)?.certificateType).toBe("Birth");
});

test.each(certificateTypes)("%s starts new: 1 full copy, 0 short, standard, by post", (type) => {
  expect(draftAsked(type)).toEqual({
    ...emptyDraft(),
    certificateType: type,
    certificateOptions: {
      fullCertificates: 1,
      shortCertificates: 0,
      isPriority: false,
      serviceType: "Standard",
      deliveryMethod: "Post",
      apostille: false,
    },
  });
});

test.each(["", "banns", "birth certificate"])("%j asks for nothing", (asked) => {
  expect(draftAsked(asked)).toBeUndefined();
});

const today = "2026-11-21";
const newId = () => "draft-1";

test("a draft survives a reload of its tab", () => {
  const storage = memoryStorage();
  createDraftStore(storage, () => today, newId).update({ ...draftOf("Death"), signature: "Jo" });
  expect(createDraftStore(storage, () => today, newId).current()).toMatchObject({
    certificateType: "Death",
    signature: "Jo",
  });
});

test("a partial update leaves the rest as it was", () => {
  const store = createDraftStore(memoryStorage(), () => today, newId);
  store.update(draftOf("Death"));
  store.update({ signature: "Jo" });
  expect(store.current()).toEqual({ ...draftOf("Death"), id: "draft-1", signature: "Jo" });
});

test("each tab owns its draft", () => {
  const first = createDraftStore(memoryStorage(), () => today, newId);
  const second = createDraftStore(memoryStorage(), () => today, newId);
  first.update({ signature: "Jo" });
  expect(second.current().signature).toBe("");
});

test("a draft keeps its id in a copied tab, until it asks for another certificate or another copy", () => {
  let made = 0;
  const storage = memoryStorage();
  const tab = () =>
    createDraftStore(
      storage,
      () => today,
      () => `draft-${++made}`,
    );
  const first = tab();
  first.update(completeDeathDraft());
  const copy = tab();
  const { death } = completeDeathDraft();
  copy.update({ signature: "Jo", step: 5, death: { ...death } });
  expect([first.current().id, copy.current().id]).toEqual(["draft-1", "draft-1"]);
  copy.update({ death: { ...death, occupation: "Miner" } });
  expect(copy.current().id).toBe("draft-2");
  copy.update({ certificateType: "Birth" });
  const another = copy.current().id;
  copy.renew([another]);
  expect(new Set(["draft-2", another, copy.current().id]).size).toBe(3);
  expect(copy.current().isAnotherCopy).toBe(true);
  copy.update({ certificateType: "Death" });
  expect(copy.current().isAnotherCopy).toBe(false);
});

test("a reset forgets everything, in storage too", () => {
  const storage = memoryStorage();
  const store = createDraftStore(storage, () => today, newId);
  store.update({ signature: "Jo" });
  store.reset();
  expect(store.current()).toEqual(emptyDraft());
  expect(createDraftStore(storage, () => today, newId).current()).toEqual(emptyDraft());
});

test("listeners hear each change until they leave, and an equal total is none", () => {
  const store = createDraftStore(memoryStorage(), () => today, newId);
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
  createDraftStore(storage, () => today, newId).update({ signature: "Jo" });
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
  createDraftStore(storage, () => today, newId).update(completeDeathDraft());
  expect(JSON.parse(storage.getItem("order-draft") ?? "")).toMatchObject({
    certificateDetails: {
      DeceasedName: "Owen Evans",
      AgeAtDeath: 84,
      Occupation: "Schoolteacher",
      NumberOfCopies: 1,
    },
    eventDetails: { EventRegistrationLocation: "England or Wales", EventType: "Death" },
  });
  expect(createDraftStore(storage, () => today, newId).current()).toEqual({
    ...completeDeathDraft(),
    id: "draft-1",
  });
});

const signed = { signature: "Jo", acceptsTerms: true, asksToBegin: true };
const unsigned = { signature: "", acceptsTerms: false, asksToBegin: false, signAgain: true };

function signedDraft() {
  const store = createDraftStore(memoryStorage(), () => "2026-11-21", newId);
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
  const store = createDraftStore(memoryStorage(), () => "2026-11-21", newId);
  store.update({ certificateType: "Death" });
  store.setTotal(45);
  expect(store.current().signAgain).toBe(false);
  const other = signedDraft();
  other.update(draftOf("Marriage"));
  expect(other.current()).toEqual({ ...draftOf("Marriage"), id: "draft-1" });
});

test("a fresh draft opens at step 1 only", () => {
  expect(furthestStep(emptyDraft(), today)).toBe(1);
});

test("a chosen certificate opens Your Details", () => {
  const draft = completeBirthDraft();
  expect(furthestStep({ ...draft, personalDetails: emptyDraft().personalDetails }, today)).toBe(2);
});

test("complete contact details open Certificate Details", () => {
  const draft = completeBirthDraft();
  expect(furthestStep({ ...draft, birth: emptyDraft().birth }, today)).toBe(3);
});

test.each(completeDrafts())("complete details of a $certificateType open the review", (draft) => {
  expect(furthestStep({ ...draft, signature: " " }, today)).toBe(4);
  expect(furthestStep({ ...draft, acceptsTerms: false }, today)).toBe(4);
  expect(furthestStep({ ...draft, asksToBegin: false }, today)).toBe(4);
});

test.each(completeDrafts())("a signed $certificateType with both boxes ticked opens the payment", (draft) => {
  expect(furthestStep(draft, today)).toBe(5);
});

test.each(["Scotland", "Northern Ireland"])(
  "an event registered in %s never gets past step 3",
  (registrationLocation) => {
    const birth = completeBirthDraft();
    const death = completeDeathDraft();
    expect(furthestStep({ ...birth, birth: { ...birth.birth, registrationLocation } }, today)).toBe(3);
    expect(furthestStep({ ...death, death: { ...death.death, registrationLocation } }, today)).toBe(3);
  },
);

test("an adopted person's own birth certificate never gets past step 3, another's does", () => {
  const draft = completeBirthDraft();
  const adopted = (applyingForOwn: string) => ({
    ...draft,
    birth: { ...draft.birth, adopted: "yes", applyingForOwn },
  });
  expect(furthestStep(adopted("yes"), today)).toBe(3);
  expect(furthestStep(adopted("no"), today)).toBe(5);
});

test("each type is judged by its own form", () => {
  for (const draft of completeDrafts()) {
    expect(furthestStep({ ...draft, ...emptyAnswers() }, today), draft.certificateType).toBe(3);
  }
});

test("answers that were right yesterday are judged by today", () => {
  const draft = completeBirthDraft();
  expect(furthestStep(draft, "1952-02-28")).toBe(3);
});
