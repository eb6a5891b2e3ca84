import { createHash } from "node:crypto";
import { country } from "../../../domain/forms/options.ts";
import { secondsPerDay } from "../../../domain/instant.ts";
import { draftDays } from "../../../domain/saved-draft/decide.ts";
import { savedAnswers } from "../../../domain/saved-draft/sealed-records.ts";
import { draftOwed } from "../../../domain/saved-draft/state.ts";
import { deleteDraft, saveDraft } from "../../orders/drafts/save-draft.ts";
import { destroyLink, purgeDraft } from "../../policies/drafts/perform-draft-task.ts";
import { endDrafts } from "../../policies/tasks/simple-tasks.ts";
import { by, type Scene, type SeedSystem, seedCorrelation } from "./seed-system.ts";
import { between, pick } from "./seeded-random.ts";
import type { Person } from "./seeded-requests.ts";

type Saved = { readonly key: string; readonly draftId: string };

/** Each ends differently; `age` is the range in days since it was saved. */
export const draftStories: readonly {
  readonly age: readonly [number, number];
  readonly play: (scene: Scene) => Promise<unknown>;
}[] = [
  { age: [0.1, draftDays - 0.5], play: saveUnfinished },
  { age: [1, 40], play: deleted },
  { age: [draftDays + 0.5, 40], play: expired },
];

async function deleted(scene: Scene): Promise<void> {
  const { system, random } = scene;
  const { key, draftId } = await saveUnfinished(scene);
  system.pass(between(random, 600, 40_000));
  await deleteDraft(system.deps, key, seedCorrelation);
  await purge(system, draftId);
}

async function expired(scene: Scene): Promise<void> {
  const { draftId } = await saveUnfinished(scene);
  scene.system.pass(draftDays * secondsPerDay);
  await purge(scene.system, draftId);
}

/** The customer has the link: its key is destroyed here, as soon as the mail has left. */
export async function saveUnfinished({ system, person, random }: Scene): Promise<Saved> {
  const { deps, pass } = system;
  // As random as a browser's, and not repeated when the same seed is added again.
  const key = createHash("sha256").update(deps.newId()).digest("base64url");
  const draft = savedAnswers.parse(answersOf(person, random));
  const { draftId, mail } = await saveDraft(deps, { email: person.email, key, draft }, seedCorrelation);
  pass(between(random, 1, 4));
  const data = {
    template: "savedDraft",
    templateVersion: 1,
    about: mail?.about ?? "",
    result: "sent",
  } as const;
  const command = { type: "RecordDraftMail", data } as const;
  const mailed = await deps.drafts.execute({ draftId, commandId: deps.newId(), by: by("system"), command });
  const task = draftOwed(mailed).find(({ kind }) => kind === "destroyRecord");
  if (task?.kind === "destroyRecord")
    await destroyLink({ deps }, { draft: mailed, task, by: by("system"), commandId: deps.newId() });
  return { key, draftId };
}

/** Ends and purges the drafts that a paid order completes. */
export async function endCompleted({ system: { deps }, system }: Scene, orderId: string): Promise<void> {
  const { order } = await deps.orders.load(orderId);
  const { savedDraftIds: draftIds } = order;
  if (draftIds === undefined) return;
  const task = { kind: "endDrafts", name: "seed", dueAt: deps.now().toISOString(), draftIds } as const;
  await endDrafts({ deps }, { order, task, by: by("system"), commandId: deps.newId() });
  for (const draftId of draftIds) await purge(system, draftId);
}

async function purge({ deps }: SeedSystem, draftId: string): Promise<void> {
  const draft = (await deps.drafts.find(draftId))?.draft;
  if (!draft) return;
  const task = draftOwed(draft).find(({ kind }) => kind === "purge");
  if (task?.kind !== "purge") return;
  const { now, log, newId } = deps;
  await purgeDraft({ deps, now, log }, { draft, task, by: by("system"), commandId: newId() });
}

/** Left in Your Details, or in the certificate's form. */
function answersOf(person: Person, random: () => number) {
  const { forename, surname, email, street, town, county, postcode, telephone } = person;
  const step = pick(random, [2, 3]);
  const typed = (text: string) => (step === 3 ? text : "");
  return {
    certificateType: pick(random, ["Birth", "Death", "Marriage"]),
    certificateOptions: {
      ...{ fullCertificates: between(random, 1, 3), shortCertificates: 0, isPriority: false },
      ...{ serviceType: "Standard", deliveryMethod: "Post", apostille: false },
    },
    personalDetails: {
      ...{ title: "", firstName: forename, lastName: surname, companyName: "", email, confirmEmail: email },
      address: {
        ...{ line1: typed(street), line2: "", town: typed(town), county: typed(county) },
        ...{ postcode: typed(postcode), country },
      },
      phone: { daytime: typed(telephone), evening: "" },
    },
    step,
  };
}
