import {
  type DraftToSave,
  deleteDraft,
  openDraft,
  saveDraft,
} from "../../../contract/drafts/saved-drafts.ts";
import { certificates } from "../../../domain/certificates/certificates.ts";
import { mostLinkedDrafts } from "../../../domain/saved-draft/vocabulary.ts";
import { ApiError } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { draftStore, isPaid } from "../current-order.ts";
import { withOpen } from "./basket.ts";
import { type Draft, type DraftCertificate, draftIn, draftOf, emptyDraft } from "./draft.ts";

/** The last step that is saved: signature, consent and payment are asked for again. */
const lastSavedStep = 4;

/** 256 random bits in base64url: opens one saved draft. */
export function newDraftKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What is saved of a draft: the answers, of each certificate those of its type only, and where the customer was. */
export function answersToSave(draft: Draft): DraftToSave {
  const { others, place, step } = draft;
  return {
    ...chosenAnswers(draft),
    ...(others.length > 0 && { others: others.map(chosenAnswers), place }),
    personalDetails: chosenDetails(draft),
    step: Math.min(step, lastSavedStep),
  };
}

/** The form keeps the answers about other types in case they are chosen again. */
function chosenAnswers(certificate: DraftCertificate) {
  const { certificateType, certificateOptions } = certificate;
  const { form } = certificates[certificateType];
  return { certificateType, certificateOptions, [form]: certificate[form] };
}

/** The form keeps a recipient's name and address in case they are chosen again; until then they are no answer. */
function chosenDetails({ personalDetails }: Draft): Draft["personalDetails"] {
  if (personalDetails.recipient.postTo === "someone else") return personalDetails;
  return { ...personalDetails, recipient: emptyDraft().personalDetails.recipient };
}

/**
 * Saves the answers; drafts that were saved or opened before are replaced. The tab keeps the key first: an answer may be
 * lost, and what was saved all the same is still replaced by the next save and ended by the order.
 */
export async function saveAnswers(email: string, key: string, draft: DraftToSave): Promise<void> {
  const replaces = draftStore.current().savedKeys.filter((other) => other !== key);
  draftStore.update({ savedKeys: [...replaces, key].slice(-mostLinkedDrafts) });
  await send(saveDraft, { body: { email, key, replaces, draft } });
}

/**
 * The draft that a key opens; undefined if it opens none.
 * @throws ApiError if it cannot be told
 */
export async function openSavedDraft(key: string): Promise<Draft | undefined> {
  const opened = await unlessUnknown(send(openDraft, { body: { key } }));
  const draft = opened && draftIn(JSON.stringify(opened.draft));
  return draft && { ...draft, savedKeys: [key] };
}

/** Whether opening a saved draft loses an unfinished order of this tab. A paid order is safe with us even if its page was closed. */
export const losesUnfinished = (opened: Draft): boolean =>
  !isPaid() && losesAnswers(draftStore.current(), opened);

/** Whether one draft has answers that another does not take up. Choosing a certificate alone is no answer. */
function losesAnswers(current: Draft, opened: Draft): boolean {
  const here = answersIn(current);
  const others = [emptyDraft(), draftOf(current.certificateType), opened];
  return others.every((other) => answersIn(other) !== here);
}

/** The answers as text, equal for equal answers. Signing and where the customer was are none. */
function answersIn(opened: Draft): string {
  const draft = withOpen(opened, 0);
  const { id, isAnotherCopy, signature, acceptsTerms, asksToBegin } = emptyDraft();
  const { signAgain, savedKeys, total, step } = emptyDraft();
  const signing = { signature, acceptsTerms, asksToBegin, signAgain };
  const others = draft.others.map((certificate) => ({ ...certificate, id, isAnotherCopy }));
  const apart = { id, isAnotherCopy, others, ...signing, savedKeys, total, step };
  const chosen = { personalDetails: chosenDetails(draft) };
  // Parsed, which puts the fields in order.
  return JSON.stringify(draftIn(JSON.stringify({ ...draft, ...apart, ...chosen })));
}

/** @returns false if the key opens nothing. @throws ApiError if it cannot be told */
export async function deleteSavedDraft(key: string): Promise<boolean> {
  return (await unlessUnknown(send(deleteDraft, { body: { key } }).then(() => true))) ?? false;
}

async function unlessUnknown<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404) return undefined;
    throw failure;
  }
}
