import {
  type DraftToSave,
  deleteDraft,
  openDraft,
  saveDraft,
} from "../../../contract/drafts/saved-drafts.ts";
import { certificates } from "../../../domain/certificates/certificates.ts";
import { ApiError } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { type Draft, draftIn } from "./draft.ts";
import { draftStore } from "./use-draft.ts";

/** The last step that is saved: signature, consent and payment are asked for again. */
const lastSavedStep = 4;

/** 256 random bits in base64url: opens one saved draft. */
export function newDraftKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What is saved of a draft: the answers, those of the chosen certificate only. */
export function answersToSave(draft: Draft): DraftToSave {
  const { certificateType, certificateOptions, personalDetails, step } = draft;
  const { form } = certificates[certificateType];
  return {
    certificateType,
    certificateOptions,
    personalDetails,
    [form]: draft[form],
    step: Math.min(step, lastSavedStep),
  };
}

/** Saves the answers; the draft that was saved or opened before is replaced. */
export async function saveAnswers(email: string, key: string, draft: DraftToSave): Promise<void> {
  await send(saveDraft, { body: { email, key, replaces: draftStore.current().savedKey, draft } });
  draftStore.update({ savedKey: key });
}

/**
 * The draft that a key opens; undefined if it opens none.
 * @throws ApiError if it cannot be told
 */
export async function openSavedDraft(key: string): Promise<Draft | undefined> {
  const opened = await unlessUnknown(send(openDraft, { body: { key } }));
  const draft = opened && draftIn(JSON.stringify(opened.draft));
  return draft && { ...draft, savedKey: key };
}

/** @returns false if the key opens nothing. @throws ApiError if it cannot be told */
export async function deleteSavedDraft(key: string): Promise<boolean> {
  const body = { key, because: "requested" } as const;
  return (await unlessUnknown(send(deleteDraft, { body }).then(() => true))) ?? false;
}

/** Deletes a saved draft, because its order is placed. @throws ApiError if it cannot be told */
export async function endSavedDraft(key: string): Promise<void> {
  await unlessUnknown(send(deleteDraft, { body: { key, because: "ordered" } }));
}

async function unlessUnknown<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404) return undefined;
    throw failure;
  }
}
