import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { email } from "../../domain/forms/personal-details.ts";
import { savedAnswers } from "../../domain/saved-draft/sealed-records.ts";
import { answers, nothing, post, type Sent } from "../request.ts";
import { draftKeys, draftKey as key } from "../shapes.ts";

const savedDraftAnswer = z
  .object({
    /** As it was saved. An older build's forms may have asked other questions. */
    draft: z.record(z.string(), z.unknown()),
    expiresAt: field.instant,
  })
  .register(z.globalRegistry, { id: "SavedDraft" });

export const saveDraft = post("/api/drafts", {
  summary:
    "Save an unfinished order and email the link that opens it; the answer never says whether it arrived",
  from: "anyone",
  limit: "contact",
  body: z.strictObject({
    email,
    key,
    replaces: draftKeys,
    draft: savedAnswers,
  }),
  answers: nothing,
});

// POST: the key must not appear in an address.

export const openDraft = post("/api/drafts/open", {
  summary: "An unfinished order, by the key in its link",
  from: "anyone",
  limit: "guesses",
  body: z.strictObject({ key }),
  answers: answers(savedDraftAnswer),
  refuses: ["not-found"],
});

export const deleteDraft = post("/api/drafts/delete", {
  summary: "Delete an unfinished order, by the key in its link",
  from: "anyone",
  limit: "lookups",
  body: z.strictObject({ key }),
  answers: nothing,
  refuses: ["not-found"],
});

export type DraftToSave = Sent<typeof saveDraft>["draft"];
