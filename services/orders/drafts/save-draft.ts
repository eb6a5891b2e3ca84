import { createHash, timingSafeEqual } from "node:crypto";
import * as contract from "../../../contract/drafts/saved-drafts.ts";
import { unsealed } from "../../../domain/order/personal-data/vault-records.ts";
import type { DraftCommand } from "../../../domain/saved-draft/decide.ts";
import { draftRecord, type SavedAnswers } from "../../../domain/saved-draft/sealed-records.ts";
import { isDraftOpen, type SavedDraft } from "../../../domain/saved-draft/state.ts";
import type { OnBehalf } from "../../command-bus.ts";
import { notFound } from "../../gateway/errors/problem.ts";
import { route } from "../../gateway/route.ts";
import { openIfThere } from "../../vault/vault.ts";
import type { OrderDependencies } from "../dependencies.ts";
import { typedCommand } from "../personal-data.ts";

type SaveRequest = {
  readonly email: string;
  /** The link's key: 256 random bits, made by the browser. */
  readonly key: string;
  readonly draft: SavedAnswers;
};

type Names = { readonly draftId: string; readonly keyDigest: string };

/** A draft's id follows from its key, which is all that finds it. */
function namesOf({ deriveId }: Pick<OrderDependencies, "deriveId">, key: string): Names {
  const keyDigest = createHash("sha256").update(key).digest("hex");
  return { draftId: deriveId("saved-draft", keyDigest), keyDigest };
}

/** Opaque, for events: a customer is identified by their draft. */
const customerOf = (draftId: string, correlationId: string): OnBehalf => ({
  actor: { kind: "customer", id: draftId },
  correlationId,
});

/**
 * Seals the answers, and what the mail needs: address and key, which are destroyed once it has left. The same key again
 * is a repeat, and gets the first result. A draft that was replaced before it came is not saved.
 */
export async function saveDraft(
  deps: OrderDependencies,
  { email, key, draft }: SaveRequest,
  correlationId: string,
): Promise<SavedDraft> {
  const { draftId, keyDigest } = namesOf(deps, key);
  const commandOf = (draftRef: string, linkRef: string): DraftCommand => ({
    type: "SaveDraft",
    data: { draftId, keyDigest, draftRef, linkRef },
  });
  const answers = draftRecord.parse({ ...draft, linkSentTo: email });
  return deps.drafts.execute({
    draftId,
    by: customerOf(draftId, correlationId),
    ...typedCommand(deps, {
      subject: draftId,
      commandId: `save-${draftId}`,
      repeatable: false,
      body: null,
      draft: commandOf(unsealed, unsealed),
      command: async (seal) => {
        const [draftRef, linkRef] = await Promise.all([
          seal("savedDraft", "application", answers),
          seal("savedDraftLink", "application", { email, key }),
        ]);
        return commandOf(draftRef, linkRef);
      },
    }),
  });
}

/** The draft that a key opens; undefined for one that is unknown, ended or expired: indistinguishable. */
async function openByKey(deps: OrderDependencies, key: string): Promise<SavedDraft | undefined> {
  const draft = await findByKey(deps, key);
  return draft && isDraftOpen(draft, deps.now().toISOString()) ? draft : undefined;
}

/** The ids of the drafts that keys open, now or once the requests that save them have arrived. */
export async function idsToLink(deps: OrderDependencies, keys: readonly string[]): Promise<string[]> {
  const now = deps.now().toISOString();
  const found = await Promise.all(
    keys.map(async (key) => {
      const draft = await findByKey(deps, key);
      return !draft || isDraftOpen(draft, now) ? [namesOf(deps, key).draftId] : [];
    }),
  );
  return [...new Set(found.flat())];
}

/** Ends the draft of a key for a newer one, which may have overtaken it: then its own request will save nothing. */
export async function replaceDraft(
  deps: OrderDependencies,
  key: string,
  correlationId: string,
): Promise<void> {
  const names = namesOf(deps, key);
  await deps.drafts.execute({
    draftId: names.draftId,
    commandId: deps.newId(),
    by: customerOf(names.draftId, correlationId),
    command: { type: "ReplaceDraft", data: names },
  });
}

/** Ends a draft, which a policy then purges. @returns false if the key is unknown, or has ended for another reason */
export async function deleteDraft(
  deps: OrderDependencies,
  key: string,
  correlationId: string,
): Promise<boolean> {
  const draft = await findByKey(deps, key);
  if (!draft) return false;
  const { draftId } = draft;
  const { end } = await deps.drafts.execute({
    draftId,
    commandId: deps.newId(),
    by: customerOf(draftId, correlationId),
    command: { type: "EndDraft", data: { rule: "requested" } },
  });
  return end?.rule === "requested";
}

/** The draft of a key, ended or not. */
export async function findByKey(deps: OrderDependencies, key: string): Promise<SavedDraft | undefined> {
  const { draftId, keyDigest } = namesOf(deps, key);
  const draft = (await deps.drafts.find(draftId))?.draft;
  const isItsKey = draft && timingSafeEqual(Buffer.from(draft.keyDigest), Buffer.from(keyDigest));
  return isItsKey ? draft : undefined;
}

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
