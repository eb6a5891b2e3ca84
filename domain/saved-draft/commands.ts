import { z } from "zod";
import * as field from "../fields.ts";
import { purgeOutcome, sentMail } from "../open-work.ts";
import { probeResult, revealReason } from "../order/vocabulary.ts";
import * as word from "./vocabulary.ts";

/** Every request a saved draft understands. What a person typed is sealed before: a command names its records. */

/** The schema of each command's data. */
const draftCommandSchemas = {
  SaveDraft: z.strictObject({
    draftId: field.id,
    keyDigest: field.textDigest,
    draftRef: field.vaultReference,
    linkRef: field.vaultReference,
  }),
  EndDraft: z.strictObject({ rule: word.draftEnd.exclude(["replaced"]) }),
  /** A newer save of the same tab takes its place, even if its own request is still under way. */
  ReplaceDraft: z.strictObject({ draftId: field.id, keyDigest: field.textDigest }),
  RevealPersonalData: z.strictObject({ reason: revealReason }),
  RecordDraftMail: sentMail(word.draftMailTemplate),
  RecordLinkDestroyed: z.strictObject({
    recordRef: field.vaultReference,
    keyFingerprint: field.keyFingerprint,
    probe: probeResult,
  }),
  /** Recorded before any key is erased. */
  StartDraftPurge: z.strictObject({ rule: word.draftPurgeRule }),
  /** The outcome of the purge that an event started. */
  PurgeDraft: purgeOutcome(word.purgedDraftKind),
};

type DraftCommandType = keyof typeof draftCommandSchemas;

/** The data of one type of command. */
export type DraftCommandData<Type extends DraftCommandType> = z.infer<(typeof draftCommandSchemas)[Type]>;

/** `{ type, data }`, discriminated by `type`. */
export type DraftCommand = {
  [Type in DraftCommandType]: { readonly type: Type; readonly data: DraftCommandData<Type> };
}[DraftCommandType];
