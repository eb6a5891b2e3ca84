import type { DraftCommandData } from "../../../domain/saved-draft/decide.ts";
import { draftLinkRecord } from "../../../domain/saved-draft/sealed-records.ts";
import type { DraftTask, SavedDraft } from "../../../domain/saved-draft/state.ts";
import { purgedDraftKind } from "../../../domain/saved-draft/vocabulary.ts";
import type { OnBehalf } from "../../command-bus.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import { openIfThere } from "../../vault/vault.ts";
import { destroyStarted, finishPurge } from "../purging/purge.ts";
import { namedByDraft } from "../subject.ts";
import type { Outcome, TaskDependencies } from "../task-dependencies.ts";
import { sendComposed } from "../tasks/mail.ts";

type Owed<Kind extends DraftTask["kind"]> = {
  draft: SavedDraft;
  task: Extract<DraftTask, { kind: Kind }>;
  by: OnBehalf;
  commandId: string;
};

export function performDraftTask(
  parts: TaskDependencies,
  draft: SavedDraft,
  task: DraftTask,
  by: OnBehalf,
): Promise<Outcome> {
  const commandId = `duty-${draft.draftId}-${task.name}`;
  switch (task.kind) {
    case "mail":
      return mailLink(parts, { draft, task, by, commandId });
    case "destroyRecord":
      return destroyLink(parts, { draft, task, by, commandId });
    case "purge":
      return purgeDraft(parts, { draft, task, by, commandId });
    default:
      return task satisfies never;
  }
}

/** Sends the link and records the result, as for orders. @throws MailUnavailable: the task is tried again */
async function mailLink(
  parts: TaskDependencies,
  { draft, task, by, commandId }: Owed<"mail">,
): Promise<Outcome> {
  const { deps, draftMails } = parts;
  const { draftId, linkRef } = draft;
  const { template, about } = task;
  const data = await sendComposed(parts, draftId, task, async () => {
    const link = await openIfThere(deps.vault, linkRef, draftLinkRecord);
    return draftMails.compose({ draft, link, template, about });
  });
  if (data) await deps.drafts.execute({ draftId, commandId, by, command: { type: "RecordDraftMail", data } });
  return "done";
}

/** Once the mail has left. */
export async function destroyLink(
  { deps }: Pick<TaskDependencies, "deps">,
  { draft: { draftId }, task: { ref: recordRef }, by, commandId }: Owed<"destroyRecord">,
): Promise<Outcome> {
  const { keyFingerprint, probe } = await deps.vault.destroy([recordRef]);
  const data = { recordRef, keyFingerprint, probe };
  await deps.drafts.execute({ draftId, commandId, by, command: { type: "RecordLinkDestroyed", data } });
  return "done";
}

type Open = NonNullable<SavedDraft["purge"]["open"]>;

/** Purges a draft, and records the receipt or the failure; see the purge of orders. */
export async function purgeDraft(
  { deps, now, log }: Pick<TaskDependencies, "deps" | "now" | "log">,
  owed: Owed<"purge">,
): Promise<Outcome> {
  const { draft, task, by, commandId } = owed;
  const { draftId } = draft;
  const open = draft.purge.open ?? (await start(deps, owed));
  if (!open) return "done"; // It has ended meanwhile.
  const type = "PurgeDraft";
  return finishPurge(
    { now, log },
    {
      ...{ task, commandId, startedBy: open.startedBy, about: { draftId } },
      destroy: () => destroy(deps, draftId, open),
      record: (commandId, data) => deps.drafts.execute({ draftId, commandId, by, command: { type, data } }),
    },
  );
}

async function start(
  { drafts }: OrderDependencies,
  { draft: { draftId }, task: { rule }, by, commandId }: Owed<"purge">,
): Promise<Open | undefined> {
  const started = await drafts.execute({
    draftId,
    commandId: `${commandId}-start-${rule}`,
    by,
    command: { type: "StartDraftPurge", data: { rule } },
  });
  return started.purge.open;
}

async function destroy(
  { drafts, vault }: OrderDependencies,
  draftId: string,
  { startedBy, records }: Open,
): Promise<DraftCommandData<"PurgeDraft">> {
  const purge = { subjectId: draftId, dataClass: "application", records, keyRef: undefined } as const;
  const { keyFingerprint, probe } = await destroyStarted(vault, purge, async () => {
    const draft = (await drafts.find(draftId))?.draft;
    return draft?.purge.open?.startedBy === startedBy ? namedByDraft(draft) : undefined;
  });
  return {
    outcome: "purged",
    startedBy,
    destroyed: purgedDraftKind.options.filter((kind) => records.some((record) => record.kind === kind)),
    keyFingerprint,
    probe,
    records: records.length,
  };
}
