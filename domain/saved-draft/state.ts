import type { Recorded } from "../decider.ts";
import { before, type Instant } from "../instant.ts";
import type { OpenPurge } from "../open-work.ts";
import { ImpossibleHistory } from "../order/evolve.ts";
import { retryAt } from "../order/personal-data/purge-tasks.ts";
import type { RevealReason } from "../order/vocabulary.ts";
import type { DraftEvent, DraftEventData } from "./events.ts";
import type { DraftEnd, DraftMailTemplate, DraftPurgeRule, PurgedDraftKind } from "./vocabulary.ts";

/** An order saved to be finished later: the fold of its events. Moments are ISO 8601 in UTC. */
export interface SavedDraft {
  readonly isSaved: true;
  readonly draftId: string;
  readonly keyDigest: string;
  readonly savedAt: Instant;
  readonly expiresAt: Instant;
  /** The answers; null from the start of the purge on. */
  readonly draftRef: string | null;
  /** Address and key, for the mail; null once they are destroyed, or being purged. */
  readonly linkRef: string | null;
  /** The mail still to send, with the event it tells of. */
  readonly mail: { readonly template: DraftMailTemplate; readonly about: string } | null;
  /** When the mail left, or could not be delivered. */
  readonly mailedAt: Instant | null;
  /** The mail that left, until it comes back. */
  readonly sent: SavedDraft["mail"];
  /** When staff revealed the answers, and why. */
  readonly reveals: readonly { readonly at: Instant; readonly reason: RevealReason }[];
  readonly end: { readonly rule: DraftEnd; readonly at: Instant } | null;
  readonly purge: {
    readonly purgedAt: Instant | null;
    /** Failures since the last success. */
    readonly failures: number;
    readonly failedAt: Instant | null;
    /** The purge that is under way. Its records are named nowhere else any more. */
    readonly open?: OpenPurge<DraftPurgeRule, PurgedDraftKind>;
  };
}

interface AbsentDraft {
  readonly isSaved: false;
}
export const absentDraft: AbsentDraft = { isSaved: false };

export type DraftState = AbsentDraft | SavedDraft;

const saved = (data: DraftEventData<"DraftSaved">, { at, eventId }: Recorded): SavedDraft => ({
  ...data,
  isSaved: true,
  savedAt: at,
  mail: { template: "savedDraft", about: eventId },
  mailedAt: null,
  sent: null,
  reveals: [],
  end: null,
  purge: { purgedAt: null, failures: 0, failedAt: null },
});

/** Nothing was saved, so nothing is owed: it has ended. */
const forestalled = (data: DraftEventData<"DraftForestalled">, { at }: Recorded): SavedDraft => ({
  ...data,
  ...withoutRecords,
  isSaved: true,
  savedAt: at,
  expiresAt: at,
  mailedAt: null,
  sent: null,
  reveals: [],
  end: { rule: "replaced", at },
  purge: { purgedAt: null, failures: 0, failedAt: null },
});

const withoutRecords = { draftRef: null, linkRef: null, mail: null } as const;

type FirstEvent = Extract<DraftEvent, { type: "DraftSaved" | "DraftForestalled" }>;

function changed(draft: SavedDraft, event: Exclude<DraftEvent, FirstEvent>, by: Recorded) {
  const { at } = by;
  switch (event.type) {
    case "DraftEnded":
      return { ...draft, mail: null, end: { rule: event.data.rule, at } };
    case "PersonalDataRevealed":
      return { ...draft, reveals: [...draft.reveals, { at, reason: event.data.reason }] };
    case "MailSent": {
      const { template, about } = event.data;
      return { ...draft, mail: null, mailedAt: at, sent: { template, about } };
    }
    case "MailBounced":
      return { ...draft, sent: null };
    case "MailUndeliverable":
      return { ...draft, mail: null, mailedAt: at };
    case "LinkDestroyed":
      return { ...draft, linkRef: null };
    case "DraftPurgeStarted": {
      const open = { startedBy: by.eventId, at, ...event.data };
      return { ...draft, ...withoutRecords, purge: { ...draft.purge, open } };
    }
    case "DraftPurged":
      return { ...draft, ...withoutRecords, purge: { purgedAt: at, failures: 0, failedAt: null } };
    case "PurgeFailed":
      return { ...draft, purge: { ...draft.purge, failures: draft.purge.failures + 1, failedAt: at } };
    default:
      return event satisfies never;
  }
}

/**
 * The draft after one more event.
 * @throws ImpossibleHistory for an event before the first, or a second first
 */
export function evolveDraft(state: DraftState, event: DraftEvent, recorded: Recorded): DraftState {
  if (event.type === "DraftSaved" || event.type === "DraftForestalled") {
    if (state.isSaved) throw new ImpossibleHistory("The draft was saved twice.");
    return event.type === "DraftSaved" ? saved(event.data, recorded) : forestalled(event.data, recorded);
  }
  if (!state.isSaved) throw new ImpossibleHistory(`${event.type} came before DraftSaved.`);
  return changed(state, event, recorded);
}

/** Whether its link opens it. */
export const isDraftOpen = ({ end, draftRef, expiresAt }: SavedDraft, now: Instant): boolean =>
  end === null && draftRef !== null && before(now, expiresAt);

/** The vault's records that events of the draft name and that no purge has begun to erase. */
export function namedDraftRecords({
  draftRef,
  linkRef,
}: SavedDraft): { ref: string; kind: PurgedDraftKind }[] {
  const of = (kind: PurgedDraftKind, ref: string | null) => (ref === null ? [] : [{ ref, kind }]);
  return [...of("savedDraft", draftRef), ...of("savedDraftLink", linkRef)];
}

/** Something a draft is owed, as an order's tasks are: safe to repeat, named for as long as it is owed. */
export type DraftTask = { readonly name: string; readonly dueAt: string } & (
  | /** Send the link, then RecordDraftMail. */
  { readonly kind: "mail"; readonly template: DraftMailTemplate; readonly about: string }
  /** Erase address and key, then RecordLinkDestroyed. */
  | { readonly kind: "destroyRecord"; readonly ref: string }
  /** Start a purge unless one is under way, erase its keys, then PurgeDraft. `attempt` counts the failures, from 1. */
  | { readonly kind: "purge"; readonly rule: DraftPurgeRule; readonly attempt: number }
);

function mail({ mail, savedAt }: SavedDraft): DraftTask[] {
  if (mail === null) return [];
  const { template, about } = mail;
  return [{ kind: "mail", name: `mail-${template}-${about}`, dueAt: savedAt, template, about }];
}

const destroyLink = ({ linkRef, mailedAt }: SavedDraft): DraftTask[] =>
  linkRef === null || mailedAt === null
    ? []
    : [{ kind: "destroyRecord", name: `destroy-link-${linkRef}`, dueAt: mailedAt, ref: linkRef }];

function purge({ draftRef, end, expiresAt, purge }: SavedDraft): DraftTask[] {
  if (draftRef === null && !purge.open) return [];
  const { rule, since } = purge.open
    ? { rule: purge.open.rule, since: purge.open.at }
    : { rule: end?.rule ?? ("expired" as const), since: end?.at ?? expiresAt };
  const attempt = purge.failures + 1;
  return [{ kind: "purge", name: `purge-draft-${attempt}`, dueAt: retryAt(since, purge), rule, attempt }];
}

/** Everything a draft is owed, also what falls due later; see `owed` of orders. */
export const draftOwed = (draft: SavedDraft): DraftTask[] => [
  ...mail(draft),
  ...destroyLink(draft),
  ...purge(draft),
];
