import { retryAt } from "../order/personal-data/purge-tasks.ts";
import type { SavedDraft } from "./state.ts";
import type { DraftMailTemplate, DraftPurgeRule } from "./vocabulary.ts";

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
