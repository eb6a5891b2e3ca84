import { z } from "zod";
import { eventSchema, versionOne } from "../decider.ts";
import * as field from "../fields.ts";
import { mailBounce, mailOf, undeliverableMail } from "../mailbox.ts";
import { purgeStart } from "../open-work.ts";
import { probeResult, purgeFailureCode, revealReason } from "../order/vocabulary.ts";
import * as word from "./vocabulary.ts";

/**
 * Every fact of a saved draft. Past tense, never changed; a new shape gets a new schema version. Answers, address and
 * the link's key are sealed in the vault.
 */

/** The schema of each event's data, with the version that is written today. */
export const draftEventSchemas = {
  DraftSaved: versionOne(
    z.strictObject({
      draftId: field.id,
      /** Of the link's key, which is random. */
      keyDigest: field.textDigest,
      draftRef: field.vaultReference,
      linkRef: field.vaultReference,
      expiresAt: field.instant,
    }),
  ),
  /** The first event of a draft whose replacement came before it: its own request, arriving late, saves nothing. */
  DraftForestalled: versionOne(z.strictObject({ draftId: field.id, keyDigest: field.textDigest })),
  /** Its link opens it no longer. */
  DraftEnded: versionOne(z.strictObject({ rule: word.draftEnd })),
  /** A member of staff revealed the answers: who, is in the metadata. */
  PersonalDataRevealed: versionOne(z.strictObject({ reason: revealReason })),
  MailSent: versionOne(mailOf(word.draftMailTemplate)),
  MailUndeliverable: undeliverableMail(word.draftMailTemplate),
  /** Its mail came back, or was reported as unwanted. */
  MailBounced: versionOne(mailBounce(word.draftMailTemplate)),
  /** Once the mail has left, the customer alone holds the link. */
  LinkDestroyed: versionOne(
    z.strictObject({
      recordRef: field.vaultReference,
      keyFingerprint: field.keyFingerprint,
      probe: probeResult,
    }),
  ),
  /** What is about to be purged, named before any key is erased. */
  DraftPurgeStarted: versionOne(purgeStart(word.draftPurgeRule, word.purgedDraftKind)),
  DraftPurged: versionOne(
    z.strictObject({
      startedBy: field.id,
      destroyed: z.array(word.purgedDraftKind).min(1),
      rule: word.draftPurgeRule,
      keyFingerprint: field.keyFingerprint,
      probe: probeResult,
      records: field.count,
    }),
  ),
  PurgeFailed: versionOne(z.strictObject({ code: purgeFailureCode, attempt: field.ordinal })),
};

type DraftEventType = keyof typeof draftEventSchemas;

export type DraftEventData<Type extends DraftEventType> = z.infer<(typeof draftEventSchemas)[Type]["data"]>;

export type DraftEvent = {
  [Type in DraftEventType]: { readonly type: Type; readonly data: DraftEventData<Type> };
}[DraftEventType];

/** Parses an event of the log. */
export const draftEventSchema = eventSchema<DraftEvent>(draftEventSchemas);

const draftStreamPrefix = "saved-draft-";

export const draftStream = (draftId: string): string => `${draftStreamPrefix}${draftId}`;

/** The id of the draft whose stream this is, or undefined when it is another kind of stream. */
export function draftIdOf(stream: string): string | undefined {
  if (!stream.startsWith(draftStreamPrefix)) return undefined;
  const draftId = stream.slice(draftStreamPrefix.length);
  return field.id.safeParse(draftId).success ? draftId : undefined;
}
