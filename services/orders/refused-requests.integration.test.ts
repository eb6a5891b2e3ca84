import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Refused } from "../../domain/decider.ts";
import { variantRequest } from "../../domain/forms/variant-request.ts";
import { CommandReused } from "../../infra/commands/repeats.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import { sample } from "../../testing/domain/command-fixture.ts";
import { sampleTicketCommand } from "../../testing/domain/ticket-fixture.ts";
import { variantBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import {
  execute,
  paidOrder,
  purge,
  question,
  recordConfirmation,
  recordPurge,
  startAttempt,
  submit,
} from "../../testing/services/paid-order-fixture.ts";
import { purgeTicketNow, staff, ticketRequest, writer } from "../../testing/services/ticket-fixture.ts";
import {
  customer,
  orderRequest,
  pricedOrder,
  testDependencies,
} from "../../testing/services/use-case-fixture.ts";
import { type TestVault, testVault } from "../../testing/vault/test-vault.ts";
import { recordAcceptance } from "../policies/tasks/submission-outcome.ts";
import { noteOnTicket, openTicket, replyByMail, replyToTicket } from "../tickets/write-in-ticket.ts";
import { createVault } from "../vault/postgres-vault.ts";
import { idDeriver } from "../vault/vault.ts";
import { addVariant } from "./add-variant.ts";
import { amendApplication } from "./amend-application.ts";
import { cancelOrder } from "./cancel-order.ts";
import type { StaffAct } from "./command-ids.ts";
import { correctContact } from "./correct-contact.ts";
import { createOrder } from "./create-order.ts";
import type { OrderDependencies } from "./dependencies.ts";
import { recordBankTransfer } from "./staff/proposals.ts";
import { addNote, recordOutcome } from "./staff/staff-actions.ts";
import { recordManualSubmission } from "./submission/submit-order.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let held: TestVault;
let taken = 0;
beforeAll(async () => {
  database = await testDatabase();
  held = await testVault(database.connectionString);
});
afterAll(async () => {
  await held.dispose();
  await database.drop();
});

/** Orders and tickets in memory, on a real vault whose keys are counted. */
function depsOnVault(): OrderDependencies {
  const keyRing: KeyRing = {
    ...held.keyRing,
    take: () => {
      taken += 1;
      return held.keyRing.take();
    },
  };
  const vault = createVault({ pool: held.pool, keyRing, now: () => new Date() });
  // The vault outlives the test: its ids must not.
  return { ...testDependencies(), vault, deriveId: idDeriver(randomBytes(32)) };
}

/** Every row that the vault ever had, destroyed ones too, and every key that was ever taken. */
async function kept(): Promise<{ rows: number; keys: number }> {
  const { rows } = await held.pool.query<{ count: number }>("select count(*)::int from vault_records");
  return { rows: rows[0]?.count ?? 0, keys: taken };
}

/** A refusal: how it comes about, and the request that meets it. */
type Refusal = {
  readonly rule: string;
  readonly given: (deps: OrderDependencies) => Promise<() => Promise<unknown>>;
};

const key = (name: string) => ({ scope: "a test", key: `${name}-0f1e2d3c-4b5a` });
const request = variantRequest("2026-11-21").parse(variantBody());
const application = { certificateType: "Birth", certificateDetails: {}, eventDetails: {}, gro: "" };
const act = { by: { userId: "ann" }, reason: "customerAsked", correlationId: "a-click" } as const;
const late = { ...act, expectedRevision: 0 };
const submission = { groOrderReference: "GRO-1", submittedAt: "2026-11-21T09:00:00.000Z" };
const reused = "idempotency-key-reused";

/** Prepares, and answers the request that will be refused. */
const refusal = <Subject>(
  rule: string,
  prepare: (deps: OrderDependencies) => Promise<Subject>,
  send: (deps: OrderDependencies, subject: Subject) => Promise<unknown>,
): Refusal => ({
  rule,
  given: async (deps) => {
    const subject = await prepare(deps);
    return () => send(deps, subject);
  },
});

const after =
  (...steps: readonly ((deps: OrderDependencies, orderId: string) => Promise<unknown>)[]) =>
  async (deps: OrderDependencies): Promise<string> => {
    const orderId = await paidOrder(deps);
    for (const step of steps) await step(deps, orderId);
    return orderId;
  };

const variant = (deps: OrderDependencies, orderId: string, changes = {}, name = "variant") =>
  addVariant(deps, orderId, { ...request, ...changes }, key(name), customer);
const amend = (deps: OrderDependencies, orderId: string, by = customer) =>
  amendApplication(deps, orderId, { application, groReferenceKnown: false }, key("amend"), by);
const correct = (deps: OrderDependencies, orderId: string, change = {}) =>
  correctContact(deps, orderId, { email: "other@post.example", ...change }, key("correct"), customer);
const reply = (deps: OrderDependencies, ticketId: string, text = "Hello?", name = "reply") =>
  replyToTicket(deps, { ticketId, text, key: key(name), by: writer });

const automaticReply = (deps: OrderDependencies, ticketId: string) =>
  replyByMail(deps, {
    ticketId,
    mail: {
      ...{ commandId: deps.newId(), text: "I am away.", quoted: "", automatic: true },
      ...{ sender: "known", from: "sian@example.org", authentication: null, attachments: [] },
      original: Buffer.from("Auto-Submitted: auto-replied\r\n\r\nI am away."),
    },
    by: writer,
  });
const note = (deps: OrderDependencies, ticketId: string, by = staff, seen = 99) =>
  noteOnTicket(deps, { ticketId, text: "Rang.", key: key("note"), by, seen });

/** Cancelled before it was paid, and purged: the receipt is out. */
async function purgedOrder(deps: OrderDependencies): Promise<string> {
  const { order } = await createOrder(deps, orderRequest(), key("order"), "a-request");
  const { orderId } = order;
  await variant(deps, orderId);
  await cancelOrder(deps, orderId, "customerRequest", customer);
  for (const dataClass of ["application", "contact"] as const) {
    const records = await deps.vault.recordsOf(orderId, dataClass);
    await deps.vault.destroy(records.map(({ recordId }) => recordId));
    await recordPurge(deps, orderId, dataClass, customer);
  }
  return orderId;
}

const open = (deps: OrderDependencies, changes = {}) =>
  openTicket(deps, ticketRequest(changes), null, key("ticket"), "a-request");
const opened = async (deps: OrderDependencies): Promise<string> => (await open(deps)).ticket.ticketId;

async function purgedTicket(deps: OrderDependencies): Promise<string> {
  const ticketId = await opened(deps);
  await reply(deps, ticketId);
  await purgeTicketNow(deps, ticketId);
  return ticketId;
}

async function unansweredTicket(deps: OrderDependencies): Promise<string> {
  const ticketId = await opened(deps);
  for (let n = 1; n < 20; n++) await reply(deps, ticketId, `Once more: ${n}`, `reply-${n}`);
  return ticketId;
}

const nowhere = async (deps: OrderDependencies) => deps.newId();
async function startByHand(deps: OrderDependencies, orderId: string): Promise<void> {
  await recordConfirmation(deps, orderId, "sent");
  await execute(deps, orderId, { type: "StartSubmission", data: { attempt: 1, channel: "manual" } });
}

const dispatch = (deps: OrderDependencies, orderId: string) =>
  execute(deps, orderId, {
    type: "RecordDispatch",
    data: { attempt: 1, dispatchedAt: "2026-11-21T09:00:00.000Z" },
  });
const pressed = { ...act, idempotencyKey: "question-0f1e2d3c-4b5a" };
const asking = (
  deps: OrderDependencies,
  orderId: string,
  question = "Which Bangor?",
  by: StaffAct = pressed,
): Promise<unknown> => recordOutcome(deps, orderId, { outcome: "queried", question }, by);
const refundFailed = async (deps: OrderDependencies, orderId: string): Promise<unknown> => {
  const reported = { refundId: null, providerRefundId: "re_1", intentId: await intentOf(deps, orderId) };
  return execute(deps, orderId, {
    type: "RecordRefundFailure",
    data: { ...reported, amountPence: 4500, code: "declined" },
  });
};
const dispute = async (deps: OrderDependencies, orderId: string): Promise<unknown> => {
  const about = { disputeId: "du_1", intentId: await intentOf(deps, orderId), amountPence: 4500 };
  return execute(deps, orderId, {
    type: "RecordDispute",
    data: { ...about, reason: "general", outcome: null },
  });
};
const intentOf = async (deps: OrderDependencies, orderId: string): Promise<string> =>
  (await deps.orders.load(orderId)).order.payments[0]?.intentId ?? "";
const bankTransfer = async (
  deps: OrderDependencies,
  orderId: string,
  amountPence = 100,
  by: StaffAct = act,
): Promise<unknown> => {
  const transfer = { intentId: await intentOf(deps, orderId), amountPence, approvalAbovePence: null };
  return recordBankTransfer(deps, orderId, { ...transfer, reference: "FT-4711" }, by);
};
const address = {
  Address1: "2 Stryd Fawr",
  Address2: "",
  Town: "Bangor",
  County: "Gwynedd",
  Country: "United Kingdom",
  PostCode: "LL57 1AA",
};

/** By command, as the domain names it: a command that seals and is missing here fails the first test. */
const refusals: Readonly<Record<string, readonly Refusal[]>> = {
  CreateOrder: [
    refusal("not-in-price-list", nowhere, (deps) =>
      createOrder(deps, orderRequest({ totalAmount: 44 }), key("order"), "a-request"),
    ),
    refusal(
      reused,
      (deps) => createOrder(deps, orderRequest(), key("order"), "a-request"),
      (deps) => createOrder(deps, orderRequest({ email: "other@post.example" }), key("order"), "a-request"),
    ),
  ],
  AddVariant: [
    refusal("unknown-order", nowhere, variant),
    refusal("already-paid", paidOrder, variant),
    refusal("already-cancelled", purgedOrder, (deps, orderId) => variant(deps, orderId, {}, "once-more")),
    refusal("quoted-otherwise", pricedOrder, (deps, orderId) =>
      variant(deps, orderId, { choice: { ...request.choice, copies: 2 } }),
    ),
    refusal(
      reused,
      async (deps) => {
        const orderId = await pricedOrder(deps);
        await variant(deps, orderId);
        return orderId;
      },
      (deps, orderId) => variant(deps, orderId, { application }),
    ),
  ],
  CorrectContact: [
    refusal("contact-purged", purgedOrder, correct),
    refusal("attempt-open", after(startAttempt), (deps, orderId) =>
      correct(deps, orderId, { contactAddress: address }),
    ),
    refusal("already-submitted", after(submit), (deps, orderId) =>
      correct(deps, orderId, { contactFullName: "Ms Siân Rhys" }),
    ),
  ],
  RecordSubmission: [
    refusal("already-submitted", after(submit), (deps, orderId) =>
      recordManualSubmission(deps, orderId, submission, act),
    ),
    refusal("changed-meanwhile", after(startByHand), (deps, orderId) =>
      recordManualSubmission(deps, orderId, submission, late),
    ),
    refusal("nothing", after(submit), (deps, orderId) => {
      const report = { orderId, attempt: 1, key: `order-${orderId}-submission-1`, by: customer };
      return recordAcceptance(deps, report, { ...submission, acceptedAt: submission.submittedAt });
    }),
  ],
  AmendApplication: [
    refusal("not-paid", pricedOrder, amend),
    refusal("attempt-open", after(startAttempt), amend),
    refusal("already-submitted", after(submit), amend),
    refusal("changed-meanwhile", paidOrder, (deps, orderId) =>
      amend(deps, orderId, { ...customer, expectedRevision: 0 }),
    ),
  ],
  ReplaceApplication: [
    refusal("purge-pending", after(submit, question), amend),
    refusal("already-dispatched", after(submit, question, purge, dispatch), amend),
  ],
  AddNote: [
    refusal("contact-purged", purgedOrder, (deps, orderId) => addNote(deps, orderId, "Rang.", act)),
    refusal("changed-meanwhile", paidOrder, (deps, orderId) => addNote(deps, orderId, "Rang.", late)),
  ],
  RecordBankTransfer: [
    refusal("no-failed-refund", paidOrder, bankTransfer),
    refusal("dispute-open", after(refundFailed, dispute), bankTransfer),
    refusal("above-captured", after(refundFailed), (deps, orderId) => bankTransfer(deps, orderId, 9001)),
    refusal("changed-meanwhile", after(refundFailed), (deps, orderId) =>
      bankTransfer(deps, orderId, 100, late),
    ),
  ],
  RecordGROOutcome: [
    refusal("unknown-order", nowhere, asking),
    refusal("not-submitted", paidOrder, asking),
    refusal("changed-meanwhile", after(submit), (deps, orderId) =>
      asking(deps, orderId, "Which Bangor?", late),
    ),
    refusal(reused, after(submit, asking), (deps, orderId) => asking(deps, orderId, "When?")),
  ],
  OpenTicket: [
    refusal(reused, opened, (deps) => open(deps, { message: "Another" })),
    refusal(reused, purgedTicket, (deps) => open(deps)),
  ],
  ReplyToTicket: [
    refusal("unknown-ticket", nowhere, (deps, ticketId) => reply(deps, ticketId)),
    refusal("ticket-purged", purgedTicket, (deps, ticketId) => reply(deps, ticketId, "Hi", "another")),
    refusal(reused, purgedTicket, (deps, ticketId) => reply(deps, ticketId)),
    refusal("answer-pending", unansweredTicket, (deps, ticketId) => reply(deps, ticketId)),
    refusal("changed-meanwhile", unansweredTicket, (deps, ticketId) =>
      replyToTicket(deps, { ticketId, text: "Hello.", key: undefined, by: staff, seen: 0 }),
    ),
  ],
  FileAutomaticReply: [
    refusal("unknown-ticket", nowhere, automaticReply),
    refusal("ticket-purged", purgedTicket, automaticReply),
  ],
  NoteOnTicket: [
    refusal("staff-only", opened, (deps, ticketId) => note(deps, ticketId, writer)),
    refusal("ticket-purged", purgedTicket, (deps, ticketId) => note(deps, ticketId)),
    refusal("changed-meanwhile", unansweredTicket, (deps, ticketId) => note(deps, ticketId, staff, 0)),
  ],
};

/** The commands whose data names a record of the vault that is sealed for it. */
const sealing = Object.values({ ...sample, ...sampleTicketCommand })
  .filter(({ data }) => Object.keys(data).some((name) => name.endsWith("Ref")))
  .map(({ type }) => type)
  // It names one that is gone.
  .filter((type) => type !== "PurgeReplacedRecord");

/** The rule that refused, or `nothing` when there was nothing to do. */
async function ruleOf(request: () => Promise<unknown>): Promise<string> {
  try {
    await request();
    return "nothing";
  } catch (error) {
    if (error instanceof CommandReused) return reused;
    if (error instanceof Refused) return error.rule;
    throw error;
  }
}

describe("A request that is refused", () => {
  test("is tried here for every command that names what a person typed", () => {
    expect(sealing.length).toBeGreaterThan(8);
    expect(Object.keys(refusals).sort()).toEqual(sealing.sort());
  });

  const cells = Object.entries(refusals).flatMap(([type, each]) =>
    each.map(({ rule, given }) => [type, rule, given] as const),
  );
  test.each(cells)("as %s by %s leaves nothing in the vault, and takes no key", async (_, rule, given) => {
    const send = await given(depsOnVault());
    const before = await kept();
    expect(await ruleOf(send)).toBe(rule);
    expect(await kept()).toEqual(before);
  });

  test("differs from one that is taken (control)", async () => {
    const deps = depsOnVault();
    const orderId = await pricedOrder(deps);
    const before = await kept();
    await variant(deps, orderId);
    // The application, and the key that repeats are compared by.
    expect(await kept()).toEqual({ rows: before.rows + 2, keys: before.keys + 2 });
  });
});
