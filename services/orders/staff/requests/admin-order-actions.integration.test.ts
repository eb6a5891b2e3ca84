import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  confirmedOrder,
  execute,
  load,
  paidOrder,
  purgeApplication,
  type StaffBrowser,
  type StaffOrder,
  staffBrowser,
  submittedOrder,
  submittingOrder,
} from "../../../../testing/gateway/admin-order-fixture.ts";
import { variantBody } from "../../../../testing/gateway/request-bodies-fixture.ts";
import { startTestStack, type TestStack } from "../../../../testing/gateway/stack-fixture.ts";
import type { Reply } from "../../../../testing/gateway/test-browser.ts";

let stack: TestStack;
let staff: StaffBrowser;
let manager: StaffBrowser;
beforeAll(async () => {
  stack = await startTestStack();
  staff = await staffBrowser(stack);
  manager = await staffBrowser(stack, "manager", "second.person");
});
afterAll(() => stack.close());

const lastOf = async ({ id }: StaffOrder) => (await stack.events(id)).at(-1);
const typesOf = async ({ id }: StaffOrder) => (await stack.events(id)).map(({ type }) => type);

/** Acts upon the order as it stands. */
async function act(
  order: StaffOrder,
  action: string,
  more: Record<string, unknown> = {},
  by = staff,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const expectedRevision = (await lastOf(order))?.revision ?? 0;
  const body = { reason: "customerAsked", expectedRevision, ...more };
  return by.post(`${order.path}/actions/${action}`, body, headers);
}

const yesterday = () => new Date(Date.now() - 86_400_000).toISOString();

describe("Submitting by hand", () => {
  test("begins and ends an attempt, and seals what the GRO calls it", async () => {
    const order = await confirmedOrder(stack);
    const reply = await act(order, "record-submission", {
      reason: "automationDown",
      groOrderReference: "COL-778899",
      submittedAt: yesterday(),
    });
    expect(reply.status).toBe(200);
    expect((await typesOf(order)).slice(-2)).toEqual(["SubmissionStarted", "SubmittedToGRO"]);
    expect(await lastOf(order)).toMatchObject({
      revision: reply.body.revision,
      metadata: { reason: "automationDown", actor: { kind: "staff" } },
    });
    expect(JSON.stringify(await stack.events(order.id))).not.toContain("COL-778899");
    const { body } = await staff.post(`${order.path}/reveal`, { dataClass: "contact", reason: "groQuery" });
    expect(body.groReferences).toEqual(["COL-778899"]);
  });

  test("can be begun, so that nothing else is sent, and reported as failed", async () => {
    const order = await confirmedOrder(stack);
    expect((await act(order, "start-submission")).status).toBe(200);
    expect((await load(stack, order.id)).attempts.open).toMatchObject({ channel: "manual" });
    expect((await act(order, "record-submission-failure", { reason: "groPhoned" })).status).toBe(200);
    expect((await lastOf(order))?.data).toMatchObject({ code: "staffConfirmed", certain: true });
    expect((await load(stack, order.id)).phase).toBe("Confirmed");
  });

  test("is refused before a confirmation, and once the GRO has it", async () => {
    const submission = { groOrderReference: "", submittedAt: yesterday() };
    const paid = await act(await paidOrder(stack), "record-submission", submission);
    expect([paid.status, paid.body.rule]).toEqual([409, "not-confirmed"]);
    const sent = await act(await submittedOrder(stack), "record-submission", submission);
    expect([sent.status, sent.body.rule]).toEqual([409, "already-submitted"]);
    expect(sent.body.title).toBe("This is not possible now: the GRO has the application.");
  });

  test("is refused for a moment that is still to come", async () => {
    const submittedAt = new Date(Date.now() + 86_400_000).toISOString();
    const reply = await act(await confirmedOrder(stack), "record-submission", { submittedAt });
    expect([reply.status, reply.body.errors]).toEqual([422, { submittedAt: "This is in the future" }]);
  });

  test.each([
    ["0000-01-01T00:00:00.000Z", "Use a moment of this century"],
    ["1999-12-31T23:59:59.000Z", "Use a moment of this century"],
    ["2001-01-01T00:00:00.000Z", "This is more than a year ago"],
    [
      `2026-11-21T09:30:00.${"0".repeat(200)}Z`,
      "Use a moment in UTC with milliseconds: 2026-11-21T09:30:00.000Z",
    ],
  ])(
    "is refused for %s: what follows the log would stop at such an event, or count from it",
    async (at, why) => {
      const submission = await act(await confirmedOrder(stack), "record-submission", { submittedAt: at });
      expect([submission.status, submission.body.errors.submittedAt]).toEqual([422, why]);
      const order = await submittedOrder(stack);
      const dispatch = await act(order, "record-dispatch", { dispatchedAt: at });
      expect([dispatch.status, dispatch.body.errors.dispatchedAt]).toEqual([422, why]);
      const bulk = { action: "recordDispatch", orders: [order.id], reason: "groPhoned", dispatchedAt: at };
      const many = await staff.post("/api/admin/orders/bulk", bulk, { "Idempotency-Key": randomUUID() });
      expect([many.status, many.body.errors.dispatchedAt]).toEqual([422, why]);
    },
  );
});

describe("What the GRO says", () => {
  test("is recorded: its question, and that it posted the certificate", async () => {
    const order = await submittedOrder(stack);
    const asked = { reason: "groWrote", outcome: "queried", question: "  Which Bangor?\nIn 1962?  " };
    expect((await act(order, "record-outcome", asked)).status).toBe(200);
    expect((await load(stack, order.id)).outcome).toMatchObject({ outcome: "queried" });
    const dispatchedAt = yesterday();
    expect((await act(order, "record-dispatch", { reason: "groWebsite", dispatchedAt })).status).toBe(200);
    expect((await lastOf(order))?.data).toMatchObject({ dispatchedAt });
  });

  test("comes with the text of its question, of 2,000 characters at most", async () => {
    const order = await submittedOrder(stack);
    const said = async (question?: string) => {
      const { status, body } = await act(order, "record-outcome", { outcome: "queried", question });
      return [status, body.errors?.question];
    };
    for (const none of [undefined, "", " \n "])
      expect(await said(none)).toEqual([422, "Write what the GRO asks"]);
    expect(await said("?".repeat(2_001))).toEqual([422, "Use 2000 characters or fewer"]);
    expect(await typesOf(order)).not.toContain("GROOutcomeRecorded");
    expect(await said("?".repeat(2_000))).toEqual([200, undefined]);
    expect((await lastOf(order))?.data).toEqual({
      ...{ attempt: 1, outcome: "queried" },
      questionRef: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test("is refused of an order that it does not have", async () => {
    const order = await confirmedOrder(stack);
    const outcome = await act(order, "record-outcome", { outcome: "notFound" });
    const dispatch = await act(order, "record-dispatch", { dispatchedAt: yesterday() });
    for (const reply of [outcome, dispatch]) {
      expect([reply.status, reply.body.rule]).toEqual([409, "not-submitted"]);
    }
  });

  test("is answered by entering the application again", async () => {
    const order = await submittedOrder(stack);
    await execute(stack, order.id, {
      type: "RecordGROOutcome",
      data: { attempt: 1, outcome: "queried", questionRef: null },
    });
    await purgeApplication(stack, order.id);
    const reply = await act(order, "amend-application", { application: variantBody() });
    expect(reply.status).toBe(200);
    expect((await lastOf(order))?.type).toBe("ApplicationReplaced");
  });

  test("an application is amended before it is sent, and refused with the words of its form", async () => {
    const order = await confirmedOrder(stack);
    expect((await act(order, "amend-application", { application: variantBody() })).status).toBe(200);
    expect((await lastOf(order))?.type).toBe("ApplicationAmended");
    const wrong = await act(order, "amend-application", {
      application: { ...variantBody(), certificateDetails: {} },
    });
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.body.errors).length).toBeGreaterThan(0);
  });
});

describe("Money", () => {
  test("goes back at once up to the limit", async () => {
    const order = await paidOrder(stack);
    const reply = await act(order, "refund", { intentId: order.intentId, amountPence: 4500 });
    expect(reply.status).toBe(200);
    expect(await lastOf(order)).toMatchObject({
      type: "RefundRequested",
      data: { amountPence: 4500, reason: "staffDecision" },
    });
  });

  test("is refused beyond what was paid", async () => {
    const order = await paidOrder(stack);
    const reply = await act(order, "refund", { intentId: order.intentId, amountPence: 4501 });
    expect([reply.status, reply.body.rule]).toEqual([409, "above-captured"]);
  });

  describe("above the limit", () => {
    const limitTo = async (refundLimitPence: number) => {
      const { revision: expectedRevision } = stack.settings.current();
      const body = { refundLimitPence, expectedRevision };
      expect((await manager.post("/api/admin/settings/refund-limit", body)).status).toBe(200);
    };
    let usual: number;
    beforeAll(async () => {
      usual = stack.settings.current().refundLimitPence;
      await limitTo(10_00);
    });
    afterAll(() => limitTo(usual));

    test("is proposed, and approved by a second person", async () => {
      const order = await paidOrder(stack);
      await act(order, "refund", { intentId: order.intentId, amountPence: 2000 }, manager);
      expect((await lastOf(order))?.type).toBe("RefundProposed");
      const own = await act(order, "approve-proposal", { proposal: 1 }, manager);
      expect([own.status, own.body.rule]).toEqual([409, "second-person-needed"]);
      const third = await staffBrowser(stack, "manager", "third.person");
      expect((await act(order, "approve-proposal", { proposal: 1 }, third)).status).toBe(200);
      expect((await lastOf(order))?.data).toMatchObject({ proposal: 1, amountPence: 2000 });
      const { body } = await staff.get(order.path);
      expect(body.proposals).toMatchObject([
        {
          proposal: 1,
          kind: "refund",
          status: "approved",
          words: "£20.00 refunded to the card, decided by staff",
        },
      ]);
    });

    test("is proposed, and declined", async () => {
      const order = await paidOrder(stack);
      await act(order, "refund", { intentId: order.intentId, amountPence: 2000 });
      expect((await act(order, "decline-proposal", { proposal: 1 }, manager)).status).toBe(200);
      expect((await lastOf(order))?.type).toBe("RefundDeclined");
      const late = await act(order, "approve-proposal", { proposal: 1 }, manager);
      expect([late.status, late.body.rule]).toEqual([409, "proposal-declined"]);
    });
  });

  test("stays while a dispute is open", async () => {
    const order = await paidOrder(stack);
    const dispute = { disputeId: "dp_1", intentId: order.intentId, amountPence: 4500 };
    await execute(stack, order.id, {
      type: "RecordDispute",
      data: { ...dispute, reason: "fraudulent", outcome: null },
    });
    const reply = await act(order, "refund", { intentId: order.intentId, amountPence: 100 });
    expect([reply.status, reply.body.rule]).toEqual([409, "dispute-open"]);
    const { body } = await staff.get(order.path);
    expect(body.payments[0].disputes).toMatchObject([{ disputeId: "dp_1", outcome: null }]);
    expect(body.tasks.map(({ task }: { task: string }) => task)).toContain("disputeOpen");
  });
});

describe("Money that no card takes", () => {
  /** A refund of the whole payment by the decided by staff, which fails. */
  async function refundFailed(): Promise<StaffOrder & { intentId: string }> {
    const order = await paidOrder(stack);
    await act(order, "refund", { intentId: order.intentId, amountPence: 900 });
    const refundId = (await load(stack, order.id)).refunds[0]?.refundId ?? null;
    const failed = {
      refundId,
      providerRefundId: `re_${order.id}`,
      intentId: order.intentId,
      amountPence: 900,
    };
    await execute(stack, order.id, { type: "RecordRefundFailure", data: { ...failed, code: "declined" } });
    return order;
  }
  const tasksOf = async (order: StaffOrder) =>
    (await staff.get(order.path)).body.tasks.map(({ task }: { task: string }) => task);

  test("goes by bank transfer, its reference sealed", async () => {
    const order = await refundFailed();
    expect(await tasksOf(order)).toEqual(["refundFailed"]);
    const transfer = { intentId: order.intentId, amountPence: 900, reference: "FT-990011" };
    expect((await act(order, "record-bank-transfer", transfer)).status).toBe(200);
    expect((await lastOf(order))?.type).toBe("BankTransferRecorded");
    expect(JSON.stringify(await stack.events(order.id))).not.toContain("FT-990011");
    expect(await tasksOf(order)).toEqual([]);
    const { body } = await staff.post(`${order.path}/reveal`, {
      dataClass: "contact",
      reason: "customerAsked",
    });
    expect(body.bankTransfers).toEqual(["FT-990011"]);
    const page = (await staff.get(order.path)).body;
    expect(page.payments[0].refunds).toMatchObject([
      { number: 1, status: "failed" },
      { number: 1, way: "bankTransfer", status: "issued", reason: "decided by staff", amountPence: 900 },
    ]);
  });

  test("goes once: a repeat is the same transfer, a colleague's is refused, and one that came back is owed again", async () => {
    const order = await refundFailed();
    const transfer = { intentId: order.intentId, amountPence: 900, reference: "FT-1" };
    const key = { "Idempotency-Key": randomUUID() };
    const { revision: expectedRevision } = (await staff.get(order.path)).body;
    const body = { ...transfer, reason: "customerAsked", note: "", expectedRevision };
    const path = `${order.path}/actions/record-bank-transfer`;
    const twice = await Promise.all([staff.post(path, body, key), staff.post(path, body, key)]);
    expect(twice.map(({ status }) => status)).toEqual([200, 200]);
    const colleague = await manager.post(path, body);
    expect([colleague.status, colleague.body.code]).toEqual([409, "changed-meanwhile"]);
    const fresh = await act(order, "record-bank-transfer", { ...transfer, amountPence: 9000 }, manager);
    expect([fresh.status, fresh.body.rule]).toEqual([409, "above-captured"]);
    const transfers = (await stack.events(order.id)).filter(({ type }) => type === "BankTransferRecorded");
    expect(transfers).toHaveLength(1);
    expect((await act(order, "record-bank-transfer-return", { transfer: 1 })).status).toBe(200);
    expect(await tasksOf(order)).toEqual(["refundFailed"]);
    const other = await act(order, "record-bank-transfer-return", { transfer: 2 });
    expect([other.status, other.body.rule]).toEqual([409, "no-such-transfer"]);
  });

  test("goes by no bank transfer where no card has failed", async () => {
    const order = await paidOrder(stack);
    const transfer = { intentId: order.intentId, amountPence: 900, reference: "FT-1" };
    const reply = await act(order, "record-bank-transfer", transfer);
    expect([reply.status, reply.body.rule]).toEqual([409, "no-failed-refund"]);
    expect(reply.body.title).toContain("no refund to the card has failed");
  });

  test("is free again once staff record how a dispute ended that the provider leaves open", async () => {
    const order = await paidOrder(stack);
    const dispute = { intentId: order.intentId, amountPence: 900, reason: "general" } as const;
    const id = `du_${order.id}`;
    stack.payments.setDispute({ ...dispute, id, outcome: undefined });
    await execute(stack, order.id, {
      type: "RecordDispute",
      data: { ...dispute, disputeId: id, outcome: null },
    });
    expect((await act(order, "record-dispute-outcome", { disputeId: id, outcome: "won" })).status).toBe(200);
    expect((await lastOf(order))?.data).toEqual({
      disputeId: id,
      outcome: "won",
      toldBy: "staff",
      proposal: null,
    });
    const late = await act(order, "record-dispute-outcome", { disputeId: id, outcome: "lost" });
    expect([late.status, late.body.rule]).toEqual([409, "dispute-closed"]);
  });
});

describe("An end", () => {
  test("is a cancellation in the customer's name, or in ours", async () => {
    const asked = await paidOrder(stack);
    expect((await act(asked, "cancel")).status).toBe(200);
    expect((await lastOf(asked))?.data).toEqual({ reason: "customerRequest", by: "staff" });
    const ours = await paidOrder(stack);
    expect((await act(ours, "cancel", { reason: "suspectedFraud" })).status).toBe(200);
    expect((await lastOf(ours))?.data).toEqual({ reason: "staffRequest", by: "staff" });
  });

  test("waits for an open attempt, and is refused once the GRO has it", async () => {
    const open = await submittingOrder(stack);
    expect((await act(open, "cancel")).status).toBe(200);
    expect((await lastOf(open))?.type).toBe("CancellationRequested");
    const sent = await act(await submittedOrder(stack), "cancel");
    expect([sent.status, sent.body.rule]).toEqual([409, "already-submitted"]);
  });

  test("is a failure with its cause", async () => {
    const order = await confirmedOrder(stack);
    const reply = await act(order, "fail", { reason: "ourMistake", cause: "ours", failure: "serviceError" });
    expect(reply.status).toBe(200);
    expect((await lastOf(order))?.data).toEqual({ cause: "ours", reason: "serviceError" });
  });

  test("an erasure is asked for once", async () => {
    const order = await paidOrder(stack);
    expect((await act(order, "request-erasure")).status).toBe(200);
    expect((await lastOf(order))?.type).toBe("ErasureRequested");
  });
});

describe("A note that comes with an act", () => {
  test("is added once the act is done", async () => {
    const order = await paidOrder(stack);
    const reply = await act(order, "cancel", { note: "She found the old certificate." });
    expect(reply.status).toBe(200);
    expect((await typesOf(order)).slice(-2)).toEqual(["OrderCancelled", "NoteAdded"]);
    expect(JSON.stringify(await stack.events(order.id))).not.toContain("certificate.");
  });

  test("is not kept for an act that is refused", async () => {
    const order = await submittedOrder(stack);
    const before = await typesOf(order);
    expect((await act(order, "cancel", { note: "Too late?" })).status).toBe(409);
    expect(await typesOf(order)).toEqual(before);
  });

  test("is not kept for an act that is refused for what it asks", async () => {
    const order = await paidOrder(stack);
    const before = await typesOf(order);
    const refund = { intentId: "pi_another", amountPence: 100, note: "Half of it back." };
    expect((await act(order, "refund", refund, manager)).status).toBe(409);
    expect(await typesOf(order)).toEqual(before);
  });
});

describe("An act", () => {
  test("is done once however often it is sent under its key", async () => {
    const order = await paidOrder(stack);
    const { revision } = (await lastOf(order)) ?? { revision: 0 };
    const key = { "Idempotency-Key": randomUUID() };
    const more = { expectedRevision: revision, note: "Twice pressed." };
    const [first, second] = [
      await act(order, "cancel", more, staff, key),
      await act(order, "cancel", more, staff, key),
    ];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect((await typesOf(order)).slice(revision + 1)).toEqual(["OrderCancelled", "NoteAdded"]);
  });

  test("upon an older revision is refused with what happened since, and changes nothing", async () => {
    const order = await paidOrder(stack);
    const { revision } = (await lastOf(order)) ?? { revision: 0 };
    await act(order, "correct-contact", { contact: { email: "other@post.example" } }, manager);
    const before = await stack.events(order.id);
    const reply = await act(order, "cancel", { expectedRevision: revision, note: "Typed in vain?" });
    expect(reply.status).toBe(409);
    expect(reply.body).toMatchObject({
      code: "changed-meanwhile",
      revision: revision + 1,
      since: [{ revision: revision + 1, type: "ContactCorrected", title: "Contact details corrected" }],
    });
    expect(await stack.events(order.id)).toEqual(before);
  });

  test("of two at the same moment is done once, and the other is refused", async () => {
    const order = await paidOrder(stack);
    const replies = await Promise.all([act(order, "cancel"), act(order, "request-erasure", {}, manager)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test.each([
    ["no reason", { reason: undefined }, "reason"],
    ["another reason", { reason: "because" }, "reason"],
    ["no revision", { expectedRevision: undefined }, "expectedRevision"],
    ["a note beyond measure", { note: "x".repeat(2001) }, "note"],
  ])("with %s is refused, and changes nothing", async (_, more, field) => {
    const order = await paidOrder(stack);
    const before = await stack.events(order.id);
    const reply = await act(order, "cancel", more);
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors)).toEqual([field]);
    expect(await stack.events(order.id)).toEqual(before);
  });
});
