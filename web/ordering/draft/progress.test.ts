import { expect, test } from "vitest";
import {
  completeBirthDraft,
  completeDeathDraft,
  completeDrafts,
} from "../../../testing/pages/draft-fixture.ts";
import { emptyAnswers } from "./certificate-answers.ts";
import { emptyDraft } from "./draft.ts";
import { furthestStep } from "./progress.ts";

const today = "2026-11-20";

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
