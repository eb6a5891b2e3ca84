import { z } from "zod";

/** The closed lists that the events and commands of a saved draft speak in. */

/** Why a draft ends before its time. */
export const draftEnd = z.enum([
  /** Its order was placed and paid for. */
  "ordered",
  /** The customer deleted it, or asked staff to erase it. */
  "requested",
  /** The same tab saved a newer one. */
  "replaced",
]);

/** How many saved drafts one tab names: those that it saved or opened last. */
export const mostLinkedDrafts = 10;

export const draftPurgeRule = z.enum([...draftEnd.options, "expired"]);

/** Why a record of a draft was destroyed, as registers say it. */
export const draftDestructionRule = z.enum([
  ...draftPurgeRule.options,
  /** The mail with the link left, or could not be delivered. */
  "mailed",
]);

/** The vault's records of a draft: its answers; the address and the link's key, for the mail. */
export const purgedDraftKind = z.enum(["savedDraft", "savedDraftLink"]);

export const draftMailTemplate = z.enum(["savedDraft"]);

export type DraftEnd = z.infer<typeof draftEnd>;
export type DraftPurgeRule = z.infer<typeof draftPurgeRule>;
export type DraftDestructionRule = z.infer<typeof draftDestructionRule>;
export type PurgedDraftKind = z.infer<typeof purgedDraftKind>;
export type DraftMailTemplate = z.infer<typeof draftMailTemplate>;
