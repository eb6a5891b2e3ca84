import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { savedAnswers } from "../../../domain/saved-draft/sealed-records.ts";
import { namedDraftRecords } from "../../../domain/saved-draft/state.ts";
import { createPostgresEventStore } from "../../../infra/event-store/postgres/postgres-event-store.ts";
import { draftBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { testDependencies } from "../../../testing/services/use-case-fixture.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { byteNeedles, scanFolders, textNeedles } from "../../../testing/vault/raw-scan.ts";
import { type DurableVault, startDurableVault } from "../../../testing/vault/test-vault.ts";
import { saveDraft } from "./save-draft.ts";
import { createSavedDrafts } from "./saved-drafts.ts";

const root = temporaryFolder("drafts");
const [dataDir, keyDir] = [join(root, "data"), join(root, "keys")];
let parts: DurableVault;
beforeAll(async () => {
  parts = await startDurableVault(dataDir, keyDir);
});
afterAll(async () => {
  await parts.stop();
});

it("leaves no word of a saved order, nor its link's key, in any file; nor its keys once it is purged", async () => {
  const { pool, vault, connectionString } = parts;
  const store = createPostgresEventStore({ pool, connectionString });
  const base = testDependencies();
  const drafts = createSavedDrafts({ store, random: Math.random, now: base.now });
  const mark = `Gwenllïan Ŵŷn-${randomBytes(6).toString("hex")}`;
  const deceased = `Nefydd-${randomBytes(6).toString("hex")}`;
  const address = `a${randomBytes(6).toString("hex")}@post.example`;
  const { key, draft } = draftBody();
  const answers = savedAnswers.parse({
    ...draft,
    others: draft.others.map((other) => ({ ...other, death: { ...other.death, deceasedSurname: deceased } })),
    personalDetails: { ...draft.personalDetails, firstName: mark, email: address },
  });
  const saved = await saveDraft({ ...base, vault, drafts }, { email: address, key, draft: answers }, "test");
  await pool.query("checkpoint");
  const words = [mark, deceased, address, key].flatMap(textNeedles);
  expect(scanFolders([dataDir, keyDir], words)).toEqual([]);

  const refs = namedDraftRecords(saved).map(({ ref }) => ref);
  const { rows } = await pool.query<{ segment: string; slot: number }>(
    "select key_segment as segment, key_slot as slot from vault_records where record_id = any($1)",
    [refs],
  );
  const keys = rows.flatMap(({ segment, slot }) => {
    const bytes = readFileSync(join(keyDir, "segments", `${segment}.keys`));
    return byteNeedles(bytes.subarray(slot * 32, slot * 32 + 32));
  });
  // Control: before, the same scan finds both keys.
  expect(scanFolders([keyDir], keys).filter((found) => found.startsWith("raw"))).toHaveLength(2);
  await vault.destroy(refs);
  await pool.query("checkpoint");
  expect(scanFolders([dataDir, keyDir], [...keys, ...words])).toEqual([]);
  await store.close();
});
