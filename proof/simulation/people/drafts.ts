import { createHash } from "node:crypto";
import { savedAnswers } from "../../../domain/saved-draft/sealed-records.ts";
import { between } from "../../../services/operations/seed/seeded-random.ts";
import {
  deleteDraft,
  findByKey,
  replaceDraft,
  saveDraft,
} from "../../../services/orders/drafts/save-draft.ts";
import { draftBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { chance, clicked, persist, type Site, waits } from "./site.ts";

const answers = savedAnswers.parse(draftBody().draft);

/**
 * A customer saves what they have typed, perhaps again and again, before they order.
 * @returns the keys that their order names; undefined if they leave
 */
export async function saveForLater(site: Site): Promise<readonly string[] | undefined> {
  const keys: string[] = [];
  for (let saves = between(site.random, 1, 3); saves > 0; saves--) {
    const key = newKey(site);
    const saving = save(site, key, [...keys]);
    keys.push(key);
    // Otherwise the next one may overtake it.
    if (saves === 1 || chance(site, 0.6)) await saving;
    else site.aside(saving);
    await waits(site, 0, 5_000);
  }
  const [newest] = keys.slice(-1);
  if (newest !== undefined && chance(site, 0.15)) await remove(site, newest);
  return chance(site, 0.3) ? undefined : keys;
}

/** As a browser makes it, but from the seed. */
const newKey = ({ newId }: Site): string => createHash("sha256").update(newId()).digest("base64url");

/** As the gateway does: the new draft first. */
async function save(site: Site, key: string, replaces: readonly string[]): Promise<void> {
  const email = `${site.newId()}@example.org`;
  const saved = await clicked(site, 0.2, "save for later", async (deps) => {
    const draft = await saveDraft(deps, { email, key, draft: answers }, site.newId());
    for (const other of replaces) await replaceDraft(deps, other, site.newId());
    const replaced = await Promise.all(replaces.map((other) => findByKey(deps, other)));
    return { draftId: draft.draftId, replaced: replaced.flatMap((each) => each?.draftId ?? []) };
  });
  const [first] = saved;
  if (!first) return;
  site.acknowledge.draft(first.draftId, "saved", () => true);
  for (const draftId of first.replaced)
    site.acknowledge.draft(draftId, "replaced", ({ end }) => end !== null);
}

async function remove(site: Site, key: string): Promise<void> {
  const draftId = await persist(site, "delete the draft", async (deps) => {
    const isDeleted = await deleteDraft(deps, key, site.newId());
    return isDeleted ? (await findByKey(deps, key))?.draftId : undefined;
  });
  if (draftId !== undefined) site.acknowledge.draft(draftId, "deleted", ({ end }) => end !== null);
}
