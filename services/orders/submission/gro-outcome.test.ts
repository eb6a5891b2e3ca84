import { describe, expect, test } from "vitest";
import { variantRequest } from "../../../domain/forms/variant-request.ts";
import { variantBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { createTaskBench, type TaskBench } from "../../../testing/services/task-fixture.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { placeAndSubmit } from "../../../testing/system/orders-fixture.ts";
import { amendApplication } from "../amend-application.ts";
import type { StaffAct } from "../command-ids.ts";
import { revealQuestion } from "../staff/reveal-personal-data.ts";
import { failOrder, recordDispatch, recordOutcome } from "../staff/staff-actions.ts";
import { takeGroNotice } from "./gro-webhook.ts";

const text = "Which Bangor?\nAnd was the mother's surname Prys?";
const act = (change: Partial<StaffAct> = {}): StaffAct => ({
  by: { userId: "ann" },
  reason: "groWrote",
  correlationId: "a-click",
  ...change,
});
const provider = { actor: { kind: "provider", id: "gro" }, correlationId: "a-notice" } as const;
const noticeOf = (orderId: string, question?: string) => ({
  noticeId: "n-1",
  key: `order-${orderId}-submission-1`,
  kind: "queried" as const,
  occurredAt: "2026-11-23T10:00:00.000Z",
  question,
});

async function submitted(bench: TaskBench): Promise<string> {
  const { orderId } = await placeAndSubmit(bench.deps);
  await bench.performAll(orderId);
  return orderId;
}

/** The question's text lies in the vault, and the application is purged. */
async function asked(bench: TaskBench): Promise<string> {
  const orderId = await submitted(bench);
  await recordOutcome(bench.deps, orderId, { outcome: "queried", question: text }, act());
  bench.wait(5);
  await bench.performAll(orderId);
  return orderId;
}

const kindsOf = async ({ deps }: TaskBench, orderId: string) =>
  (await deps.vault.recordsOf(orderId, "application")).map(({ kind }) => kind);
const answer = (bench: TaskBench, orderId: string) => {
  const { application } = variantRequest("2026-11-23").parse(variantBody());
  const amendment = { application, groReferenceKnown: false };
  return amendApplication(bench.deps, orderId, amendment, undefined, customer);
};
const written = async ({ store }: TaskBench, orderId: string) =>
  JSON.stringify(await store.readStream(`order-${orderId}`));

describe("The text of a question of the GRO", () => {
  test("outlives the application, sealed as a record of its own, and no event or log line has a word of it", async () => {
    const bench = createTaskBench();
    const orderId = await asked(bench);
    expect(await kindsOf(bench, orderId)).toEqual(["groQuestion"]);
    const reveal = await revealQuestion(bench.deps, orderId, "groQuery", { ...act() });
    expect(reveal.data).toBe(text);
    expect((await bench.eventTypes(orderId)).at(-1)).toBe("PersonalDataRevealed");
    for (const words of [await written(bench, orderId), bench.logLines.join()])
      expect(words).not.toMatch(/Bangor|Prys/);
  });

  test.each([
    ["answered", answer],
    [
      "the certificate is despatched",
      (bench: TaskBench, orderId: string) =>
        recordDispatch(bench.deps, orderId, "2026-11-23T11:00:00.000Z", act()),
    ],
    [
      "the order fails",
      (bench: TaskBench, orderId: string) =>
        failOrder(bench.deps, orderId, { cause: "gro", reason: "detailsInsufficient" }, act()),
    ],
  ] as const)("is destroyed once %s, with a receipt", async (_, end) => {
    const bench = createTaskBench();
    const orderId = await asked(bench);
    const [{ ref: recordRef = "" } = {}] = (await bench.order(orderId)).vault.questions;
    await end(bench, orderId);
    expect(await bench.due(orderId)).toContain(`destroy-${recordRef}`);
    await bench.perform(orderId, `destroy-${recordRef}`);
    expect(await kindsOf(bench, orderId)).not.toContain("groQuestion");
    expect((await bench.order(orderId)).vault.questions).toEqual([]);
    const receipt = (await bench.store.readStream(`order-${orderId}`)).find(
      ({ type }) => type === "GROQuestionPurged",
    );
    const keyFingerprint = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(receipt?.data).toEqual({ recordRef, keyFingerprint, probe: "unreadable" });
    await expect(revealQuestion(bench.deps, orderId, "groQuery", { ...act() })).rejects.toMatchObject({
      rule: "no-question-text",
    });
  });

  test("that cannot be destroyed is retried, and nothing claims that it is gone", async () => {
    const bench = createTaskBench();
    const orderId = await asked(bench);
    await answer(bench, orderId);
    const { destroy } = bench.deps.vault;
    bench.deps.vault.destroy = () => Promise.reject(new Error("The mirror is away."));
    expect(await bench.perform(orderId, "destroy-")).toBeDefined();
    expect(await bench.eventTypes(orderId)).not.toContain("GROQuestionPurged");
    bench.deps.vault.destroy = destroy;
    await bench.performAll(orderId);
    expect(await bench.eventTypes(orderId)).toContain("GROQuestionPurged");
    expect(await kindsOf(bench, orderId)).not.toContain("groQuestion");
  });

  test("comes with the automation service's notice as well, once however often that is sent", async () => {
    const bench = createTaskBench();
    const orderId = await submitted(bench);
    const notice = noticeOf(orderId, text);
    for (let n = 0; n < 3; n++) await takeGroNotice(bench.deps, notice, provider);
    expect((await bench.order(orderId)).vault.questions).toHaveLength(1);
    expect((await kindsOf(bench, orderId)).filter((kind) => kind === "groQuestion")).toHaveLength(1);
  });

  test("may come later than the question, and another takes its place, which is destroyed", async () => {
    const bench = createTaskBench();
    const orderId = await submitted(bench);
    await takeGroNotice(bench.deps, noticeOf(orderId), provider);
    expect((await bench.order(orderId)).vault.questions).toEqual([]);
    for (const question of ["Which Bangor?", "Which Bangor, and when?"])
      await recordOutcome(bench.deps, orderId, { outcome: "queried", question }, act());
    await bench.performAll(orderId);
    expect((await kindsOf(bench, orderId)).filter((kind) => kind === "groQuestion")).toHaveLength(1);
    expect((await revealQuestion(bench.deps, orderId, "groQuery", act())).data).toBe(
      "Which Bangor, and when?",
    );
    const mails = bench.mailer.sent.filter(({ subject }) => subject === "groQuestion");
    expect(mails).toHaveLength(1);
  });

  test("is not sealed where it would not be kept", async () => {
    const bench = createTaskBench();
    const orderId = await submitted(bench);
    await recordDispatch(bench.deps, orderId, "2026-11-23T09:31:00.000Z", act());
    await takeGroNotice(bench.deps, noticeOf(orderId, text), provider);
    expect((await bench.eventTypes(orderId)).at(-1)).toBe("GROOutcomeRecorded");
    expect(await kindsOf(bench, orderId)).not.toContain("groQuestion");
  });

  test("is taken once from a press that is repeated, and refused if it differs", async () => {
    const bench = createTaskBench();
    const orderId = await submitted(bench);
    const press = act({ idempotencyKey: "a-press" });
    const outcome = { outcome: "queried", question: text } as const;
    for (let n = 0; n < 2; n++) await recordOutcome(bench.deps, orderId, outcome, press);
    expect((await bench.order(orderId)).vault.questions).toHaveLength(1);
    const other = { ...outcome, question: "When?" };
    await expect(recordOutcome(bench.deps, orderId, other, press)).rejects.toThrow();
  });
});
