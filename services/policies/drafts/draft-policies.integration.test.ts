import { describe, expect, it, vi } from "vitest";
import { savedAnswers } from "../../../domain/saved-draft/sealed-records.ts";
import { isDraftOpen, type SavedDraft } from "../../../domain/saved-draft/state.ts";
import { listParked } from "../../../infra/following/parked-streams.ts";
import { createProjections } from "../../../projections/runner/projections.ts";
import { draftBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { pay, placeAndAsk, placeAndPay } from "../../../testing/system/orders-fixture.ts";
import {
  followForAnHour,
  noSweepSeconds,
  openTestSystem,
  type TestSystem,
} from "../../../testing/system/test-system.ts";
import { deleteDraft, findByKey, replaceDraft, saveDraft } from "../../orders/drafts/save-draft.ts";
import { policyFollowers } from "../policies.ts";

const day = 86_400;

async function saved(system: TestSystem): Promise<{ key: string; draftId: string }> {
  const { email, key, draft } = draftBody();
  const { draftId } = await saveDraft(
    system.deps,
    { email, key, draft: savedAnswers.parse(draft) },
    "a-request",
  );
  return { key, draftId };
}

async function draftOf(system: TestSystem, draftId: string): Promise<SavedDraft> {
  const found = await system.deps.drafts.find(draftId);
  if (!found) throw new Error("There is no such draft.");
  return found.draft;
}

/** The draft of a key, while it can be opened. */
async function openAt({ deps }: TestSystem, key: string): Promise<SavedDraft | undefined> {
  const found = await findByKey(deps, key);
  return found && isDraftOpen(found, deps.now().toISOString()) ? found : undefined;
}

const typesOf = async (system: TestSystem, draftId: string) =>
  (await system.store.readStream(`saved-draft-${draftId}`)).map(({ type }) => type);
const kindsOf = async (system: TestSystem, draftId: string) =>
  (await system.deps.vault.recordsOf(draftId)).map(({ kind }) => kind).sort();
const seeAtRest = (system: TestSystem, draftId: string) =>
  vi.waitFor(async () => expect(await typesOf(system, draftId)).toContain("LinkDestroyed"), soon);
const seePurged = (system: TestSystem, draftId: string) =>
  vi.waitFor(async () => expect(await typesOf(system, draftId)).toContain("DraftPurged"), soon);

describe("Policies of saved drafts", () => {
  it("mail the link within seconds, and destroy address and key once it has left", async () => {
    await using system = await openTestSystem();
    await system.begin({ sweepEverySeconds: noSweepSeconds });
    const { key, draftId } = await saved(system);
    await seeAtRest(system, draftId);
    expect(system.around.mailer.sent).toMatchObject([
      { to: "sian.rhys@post.example", subject: "savedDraft" },
    ]);
    expect(await kindsOf(system, draftId)).toEqual(["savedDraft"]);
    expect(await openAt(system, key)).toMatchObject({ draftId, linkRef: null });
  });

  it("have nothing to do with a draft that was replaced before it came, and park nothing", async () => {
    await using system = await openTestSystem();
    await system.begin({ sweepEverySeconds: noSweepSeconds });
    const { email, key, draft } = draftBody();
    await replaceDraft(system.deps, key, "a-request");
    await saveDraft(system.deps, { email, key, draft: savedAnswers.parse(draft) }, "a-request");
    const { draftId } = await saved(system);
    await seeAtRest(system, draftId);
    expect(await listParked(system.pool, policyFollowers, 10)).toEqual([]);
    expect(system.around.mailer.sent).toHaveLength(1);
  });

  it("keep the link while the mail server is away", async () => {
    await using system = await openTestSystem();
    system.around.mailer.mood = "down";
    await system.begin({ sweepEverySeconds: noSweepSeconds });
    const { draftId } = await saved(system);
    await vi.waitFor(() => expect(system.logLines.join()).toContain("a task failed"), soon);
    expect(await kindsOf(system, draftId)).toEqual(["savedDraft", "savedDraftLink"]);
  });

  it("purge a draft a week after it was saved, and the register has its receipt, also once rebuilt", async () => {
    await using system = await openTestSystem();
    await system.begin();
    const { key, draftId } = await saved(system);
    await seeAtRest(system, draftId);
    system.skip(7 * day - 60);
    expect(await openAt(system, key)).toBeDefined();
    system.skip(90);
    expect(await openAt(system, key)).toBeUndefined();
    await seePurged(system, draftId);
    expect(await kindsOf(system, draftId)).toEqual([]);
    const { store, pool } = system;
    const { newId, now } = system.deps;
    const projections = createProjections({ store, pool, newId, now });
    await projections.start();
    await vi.waitFor(async () => {
      const { entries } = await projections.queries.listPurges({ subjectId: draftId });
      expect(entries).toMatchObject([
        {
          subject: { kind: "draft", id: draftId },
          number: null,
          outcome: "purged",
          rule: "expired",
          destroyed: ["savedDraft"],
          records: 1,
          probe: "unreadable",
        },
        {
          subject: { kind: "draft", id: draftId },
          number: null,
          outcome: "purged",
          rule: "mailed",
          destroyed: ["savedDraftLink"],
          records: 1,
          probe: "unreadable",
        },
      ]);
    }, soon);
    await projections.stop();
  });

  it("end and purge a draft once its order is paid, whatever becomes of the browser", async () => {
    await using system = await openTestSystem();
    await system.begin({ sweepEverySeconds: noSweepSeconds });
    const { key, draftId } = await saved(system);
    await seeAtRest(system, draftId);
    const unpaid = await placeAndAsk(system.deps, { savedDrafts: [key] });
    expect(await openAt(system, key)).toMatchObject({ draftId });
    const { orderId } = await placeAndPay(system.deps, { savedDrafts: [key] });
    await seePurged(system, draftId);
    expect((await draftOf(system, draftId)).end?.rule).toBe("ordered");
    await vi.waitFor(
      async () => expect(await system.eventTypes(orderId)).toContain("SavedDraftsEnded"),
      soon,
    );
    expect(await system.eventTypes(unpaid.orderId)).not.toContain("SavedDraftsEnded");
  });

  it("end with its order a draft whose request came after the order's, and one that never came is no obstacle", async () => {
    await using system = await openTestSystem();
    await system.begin({ sweepEverySeconds: noSweepSeconds });
    const { email, key, draft } = draftBody();
    const savedDrafts = [key, draftBody().key];
    const order = await placeAndAsk(system.deps, { savedDrafts });
    const request = { email, key, draft: savedAnswers.parse(draft) };
    const { draftId } = await saveDraft(system.deps, request, "a-request");
    await seeAtRest(system, draftId);
    await pay(system.deps, order);
    await seePurged(system, draftId);
    await vi.waitFor(
      async () => expect(await system.eventTypes(order.orderId)).toContain("SavedDraftsEnded"),
      soon,
    );
  });

  it.each([
    ["requested", deleteDraft],
    ["replaced", replaceDraft],
  ] as const)("purge at once what ended as %s", async (rule, end) => {
    await using system = await openTestSystem();
    await system.begin({ sweepEverySeconds: noSweepSeconds });
    const { key, draftId } = await saved(system);
    await seeAtRest(system, draftId);
    await end(system.deps, key, "a-request");
    expect((await draftOf(system, draftId)).end?.rule).toBe(rule);
    expect(await openAt(system, key)).toBeUndefined();
    await seePurged(system, draftId);
    expect((await draftOf(system, draftId)).draftRef).toBeNull();
    expect(await kindsOf(system, draftId)).toEqual([]);
  });

  it("purge address and key as well where the draft ends before its mail, and send none", async () => {
    await using system = await openTestSystem();
    const { key, draftId } = await saved(system);
    await deleteDraft(system.deps, key, "a-request");
    await system.begin();
    await seePurged(system, draftId);
    expect(system.around.mailer.sent).toEqual([]);
    expect(await kindsOf(system, draftId)).toEqual([]);
    expect(await typesOf(system, draftId)).toEqual([
      "DraftSaved",
      "DraftEnded",
      "DraftPurgeStarted",
      "DraftPurged",
    ]);
  });

  it("find by the sweep what the list lost, and what no event names", async () => {
    await using system = await openTestSystem();
    const { draftId } = await saved(system);
    const stray = system.deps.newId();
    await system.deps.vault.seal({
      recordId: stray,
      subject: draftId,
      dataClass: "application",
      kind: "savedDraft",
      schemaVersion: 1,
      body: {},
      dueAt: system.deps.now().toISOString(),
    });
    await followForAnHour(system);
    await system.pool.query("delete from work");
    system.skip(7 * day + 3_600);
    await system.begin();
    await seePurged(system, draftId);
    await vi.waitFor(async () => expect(await system.deps.vault.recordsOf(draftId)).toEqual([]), soon);
  });
});
