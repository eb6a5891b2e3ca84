import { before } from "../../../domain/instant.ts";
import { draftOwed, type SavedDraft } from "../../../domain/saved-draft/state.ts";
import { type Evidence, goneByMs, overdue, recordsLeft } from "./evidence.ts";

// What must hold of a saved draft at the end, in the words of the domain.

/** @param orderedAt when the order that it led to had ended its drafts */
export async function brokenDraftRules(
  draft: SavedDraft,
  orderedAt: string | undefined,
  evidence: Evidence,
): Promise<string[]> {
  const isForgotten = !draft.end && orderedAt !== undefined && before(draft.savedAt, orderedAt);
  return [
    ...(isForgotten ? [`it can be opened, and its order was paid for at ${orderedAt}`] : []),
    ...(await recordsOf(draft, evidence)),
    ...overdue(draftOwed(draft), evidence),
  ];
}

/** Answers stay until the end; the link's key, with the address, until its mail has left. */
async function recordsOf(draft: SavedDraft, evidence: Evidence): Promise<string[]> {
  const { draftId, draftRef, mailedAt, end, purge } = draft;
  const left = await recordsLeft(draftId, "application", evidence);
  const isLate = (since: string, atMs = evidence.now.getTime()) => atMs > goneByMs(since, evidence);
  const found: string[] = [];
  if (end === null) {
    const others = left.filter((recordId) => recordId !== draftRef);
    if (others.length === left.length) found.push("its answers are needed, and gone");
    if (mailedAt !== null && others.length > 0 && isLate(mailedAt))
      found.push(`the key of its link is still there, and its mail left at ${mailedAt}`);
    return found;
  }
  const isPurgedLate = purge.purgedAt !== null && isLate(end.at, Date.parse(purge.purgedAt));
  if (isPurgedLate || (left.length > 0 && isLate(end.at)))
    found.push(`${left.length} of its records are left; it ended at ${end.at}, purged at ${purge.purgedAt}`);
  return found;
}
