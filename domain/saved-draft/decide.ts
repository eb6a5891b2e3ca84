import { z } from "zod";
import { type CommandMetadata, type Decider, Refused } from "../decider.ts";
import * as field from "../fields.ts";
import { addDays, type Instant } from "../instant.ts";
import { mailBounce, sentMail } from "../mailbox.ts";
import { purgeOutcome } from "../open-work.ts";
import { probeResult, revealReason } from "../order/vocabulary.ts";
import type { DraftEvent } from "./events.ts";
import { absentDraft, type DraftState, evolveDraft, namedDraftRecords, type SavedDraft } from "./state.ts";
import type { DraftEnd, DraftPurgeRule } from "./vocabulary.ts";
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
  RecordBounce: mailBounce(word.draftMailTemplate),
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

export type DraftCommandData<Type extends DraftCommandType> = z.infer<(typeof draftCommandSchemas)[Type]>;

export type DraftCommand = {
  [Type in DraftCommandType]: { readonly type: Type; readonly data: DraftCommandData<Type> };
}[DraftCommandType];

/** How long a link works, in days of 24 hours. */
export const draftDays = 7;

/**
 * What a command makes happen. Nothing, when it is true already.
 * @throws Refused when a rule forbids it
 */
function decideDraft(
  state: DraftState,
  command: DraftCommand,
  { at, actor }: Pick<CommandMetadata, "at" | "actor">,
): DraftEvent[] {
  if (command.type === "SaveDraft") return save(state, command.data, at);
  if (state.isSaved) return decideOn(state, command, actor);
  if (command.type === "ReplaceDraft") return [{ type: "DraftForestalled", data: command.data }];
  throw unknownDraft();
}

function save(state: DraftState, data: DraftCommandData<"SaveDraft">, at: Instant): DraftEvent[] {
  if (!state.isSaved) return [{ type: "DraftSaved", data: { ...data, expiresAt: addDays(at, draftDays) } }];
  if (state.end?.rule === "replaced") return [];
  throw draftForbids("already-exists");
}

function decideOn(
  draft: SavedDraft,
  command: Exclude<DraftCommand, { type: "SaveDraft" }>,
  actor: CommandMetadata["actor"],
): DraftEvent[] {
  switch (command.type) {
    case "RevealPersonalData":
      return reveal(draft, command.data, actor);
    case "EndDraft":
      return end(draft, command.data.rule);
    case "ReplaceDraft":
      return end(draft, "replaced");
    case "RecordDraftMail":
      return recordMail(draft, command.data);
    case "RecordBounce":
      return recordBounce(draft, command.data);
    case "RecordLinkDestroyed":
      return draft.linkRef === command.data.recordRef && draft.mailedAt !== null
        ? [{ type: "LinkDestroyed", data: command.data }]
        : [];
    case "StartDraftPurge":
      return startPurge(draft, command.data);
    case "PurgeDraft":
      return finishPurge(draft, command.data);
    default:
      return command satisfies never;
  }
}

const end = (draft: SavedDraft, rule: DraftEnd): DraftEvent[] =>
  draft.end !== null || draft.draftRef === null ? [] : [{ type: "DraftEnded", data: { rule } }];

function reveal(
  { draftRef }: SavedDraft,
  data: DraftCommandData<"RevealPersonalData">,
  { kind }: CommandMetadata["actor"],
): DraftEvent[] {
  if (kind !== "staff") throw draftForbids("role-needed");
  if (draftRef === null) throw draftForbids("application-purged");
  return [{ type: "PersonalDataRevealed", data }];
}

function recordMail(
  { mailedAt }: SavedDraft,
  { result, ...mail }: DraftCommandData<"RecordDraftMail">,
): DraftEvent[] {
  if (mailedAt !== null) return [];
  return result === "sent"
    ? [{ type: "MailSent", data: mail }]
    : [{ type: "MailUndeliverable", data: { ...mail, because: result } }];
}

/** Its link is known to the customer alone: nothing can be sent again. */
const recordBounce = ({ sent }: SavedDraft, data: DraftCommandData<"RecordBounce">): DraftEvent[] =>
  sent?.about === data.about ? [{ type: "MailBounced", data }] : [];

function startPurge(draft: SavedDraft, { rule }: DraftCommandData<"StartDraftPurge">): DraftEvent[] {
  const records = namedDraftRecords(draft);
  if (draft.purge.open || records.length === 0) return [];
  if (!holds(draft, rule)) throw draftForbids("still-needed");
  return [{ type: "DraftPurgeStarted", data: { rule, records } }];
}

function finishPurge({ purge: { open } }: SavedDraft, data: DraftCommandData<"PurgeDraft">): DraftEvent[] {
  if (open?.startedBy !== data.startedBy) return [];
  if (data.outcome === "failed")
    return [{ type: "PurgeFailed", data: { code: data.code, attempt: data.attempt } }];
  const { outcome: _, ...receipt } = data;
  return [{ type: "DraftPurged", data: { ...receipt, rule: open.rule } }];
}

/** That its time is over, the policy has checked. */
const holds = ({ end }: SavedDraft, rule: DraftPurgeRule): boolean =>
  rule === "expired" ? end === null : end?.rule === rule;

const draftForbids = (
  rule: "already-exists" | "still-needed" | "role-needed" | "application-purged",
): Refused => new Refused({ code: "forbidden-in-phase", phase: "Saved", rule });

/** What to throw where there is no draft of an id. */
export const unknownDraft = (): Refused =>
  new Refused({ code: "unknown-draft", phase: "Absent", rule: "unknown-draft" });

/** The saved draft: what it starts as, how facts change it, what it answers. */
export const draftDecider: Decider<DraftState, DraftCommand, DraftEvent> = {
  initial: absentDraft,
  evolve: evolveDraft,
  decide: decideDraft,
};
