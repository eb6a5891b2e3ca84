import * as contract from "../../contract/drafts/saved-drafts.ts";
import { draftRecord } from "../../domain/saved-draft/sealed-records.ts";
import { notFound } from "../gateway/errors/problem.ts";
import { route } from "../gateway/routing/route.ts";
import { openIfThere } from "../vault/vault.ts";
import { deleteDraft, findByKey, openByKey, replaceDraft, saveDraft } from "./save-draft.ts";

/**
 * The new draft first: a crash in between leaves more than one, for the repeat or their expiry to end. Beyond the limit
 * of mails to one address nothing is saved or replaced, and the answer is the same.
 */
export const saveForLater = route(contract.saveDraft, (parts) => async ({ body, correlationId }) => {
  const { deps, allowsMail } = parts;
  const { replaces, ...request } = body;
  const isRepeat = (await findByKey(deps, request.key)) !== undefined;
  if (!isRepeat && !(await allowsMail(request.email))) return {};
  await saveDraft(deps, request, correlationId);
  for (const key of replaces.filter((other) => other !== request.key))
    await replaceDraft(deps, key, correlationId);
  return {};
});

/** Unknown, ended, expired and purged drafts are answered alike. */
export const openSaved = route(contract.openDraft, ({ deps }) => async ({ body }) => {
  const found = await openByKey(deps, body.key);
  const record = found && (await openIfThere(deps.vault, found.draftRef, draftRecord));
  if (!found || !record) throw notFound();
  const { linkSentTo: _, ...draft } = record;
  return { body: { draft, expiresAt: found.expiresAt } };
});

export const deleteSaved = route(contract.deleteDraft, ({ deps }) => async ({ body, correlationId }) => {
  if (!(await deleteDraft(deps, body.key, correlationId))) throw notFound();
  return {};
});
