import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { Refused } from "../../domain/decider.ts";
import * as field from "../../domain/fields.ts";
import { variantRequest } from "../../domain/forms/variant-request.ts";
import { orderCommandSchemas } from "../../domain/order/commands.ts";
import { ticketCommandSchemas } from "../../domain/ticket/commands.ts";
import { mostUnanswered } from "../../domain/ticket/decide.ts";
import { CommandReused } from "../../infra/commands/repeats.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import { variantBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import {
  paidOrder,
  purge,
  question,
  recordConfirmation,
  startAttempt,
  submit,
  tell,
} from "../../testing/services/paid-order-fixture.ts";
import { tellPurged } from "../../testing/services/purge-fixture.ts";
import { purgeTicketNow, staff, ticketRequest, writer } from "../../testing/services/ticket-fixture.ts";
import { customer, orderRequest, pricedOrder, testDesk } from "../../testing/services/use-case-fixture.ts";
import { type TestVault, testVault } from "../../testing/vault/test-vault.ts";
import { recordAcceptance } from "../policies/tasks/submission-outcome.ts";
import { openTicket } from "../tickets/open-ticket.ts";
import { noteOnTicket, replyToTicket } from "../tickets/write-in-ticket.ts";
import { createVault } from "../vault/postgres-vault.ts";
import { idDeriver } from "../vault/record-ids.ts";
import { addVariant } from "./add-variant.ts";
import { amendApplication } from "./amend-application.ts";
import { cancelOrder } from "./cancel-order.ts";
import { correctContact } from "./correct-contact.ts";
import { createOrder } from "./create-order.ts";
import type { Desk } from "./dependencies.ts";
import { addNote } from "./staff/add-note.ts";
import { recordBankTransfer } from "./staff/record-bank-transfer.ts";
import { recordManualSubmission } from "./staff/record-manual-submission.ts";
import type { StaffAct } from "./staff/staff-act.ts";

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
function deskOnVault(): Desk {
  const keyRing: KeyRing = {
    ...held.keyRing,
    take: () => {
      taken += 1;
      return held.keyRing.take();
    },
  };
  const vault = createVault({ pool: held.pool, keyRing, now: () => new Date() });
  // The vault outlives the test: its ids must not.
  return { ...testDesk(), vault, deriveId: idDeriver(randomBytes(32)) };
}

/** Every row that the vault ever had, destroyed ones too, and every key that was ever taken. */
async function kept(): Promise<{ rows: number; keys: number }> {
  const { rows } = await held.pool.query<{ count: number }>("select count(*)::int from vault_records");
  return { rows: rows[0]?.count ?? 0, keys: taken };
}

/** A refusal: how it comes about, and the request that meets it. */
type Refusal = {
  readonly rule: string;
  readonly given: (desk: Desk) => Promise<() => Promise<unknown>>;
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
  prepare: (desk: Desk) => Promise<Subject>,
  send: (desk: Desk, subject: Subject) => Promise<unknown>,
): Refusal => ({
  rule,
  given: async (desk) => {
    const subject = await prepare(desk);
    return () => send(desk, subject);
  },
});

const after =
  (...steps: readonly ((desk: Desk, orderId: string) => Promise<unknown>)[]) =>
  async (desk: Desk): Promise<string> => {
    const orderId = await paidOrder(desk);
    for (const step of steps) await step(desk, orderId);
    return orderId;
  };

const variant = (desk: Desk, orderId: string, changes = {}, name = "variant") =>
  addVariant(desk, orderId, { ...request, ...changes }, key(name), customer);
const amend = (desk: Desk, orderId: string, by = customer) =>
  amendApplication(desk, orderId, application, key("amend"), by);
const correct = (desk: Desk, orderId: string, change = {}) =>
  correctContact(desk, orderId, { email: "other@post.example", ...change }, key("correct"), customer);
const reply = (desk: Desk, ticketId: string, text = "Hello?", name = "reply") =>
  replyToTicket(desk, { ticketId, text, key: key(name), by: writer });
const note = (desk: Desk, ticketId: string, by = staff, seen = 99) =>
  noteOnTicket(desk, { ticketId, text: "Rang.", key: key("note"), by, seen });

/** Cancelled before it was paid, and purged: the receipt is out. */
async function purgedOrder(desk: Desk): Promise<string> {
  const { order } = await createOrder(desk, orderRequest(), key("order"), "a-request");
  const { orderId } = order;
  await variant(desk, orderId);
  await cancelOrder(desk, orderId, "customerRequest", customer);
  for (const dataClass of ["application", "contact"] as const) {
    const records = await desk.vault.recordsOf(orderId, dataClass);
    await desk.vault.destroy(records.map(({ recordId }) => recordId));
    await tellPurged(desk, orderId, dataClass, customer);
  }
  return orderId;
}

const open = (desk: Desk, changes = {}) =>
  openTicket(desk, ticketRequest(changes), null, key("ticket"), "a-request");
const opened = async (desk: Desk): Promise<string> => (await open(desk)).ticket.ticketId;

async function purgedTicket(desk: Desk): Promise<string> {
  const ticketId = await opened(desk);
  await reply(desk, ticketId);
  await purgeTicketNow(desk, ticketId);
  return ticketId;
}

async function unansweredTicket(desk: Desk): Promise<string> {
  const ticketId = await opened(desk);
  for (let n = 1; n < mostUnanswered; n++) await reply(desk, ticketId, `Once more: ${n}`, `reply-${n}`);
  return ticketId;
}

const nowhere = async (desk: Desk) => desk.newId();
async function startByHand(desk: Desk, orderId: string): Promise<void> {
  await recordConfirmation(desk, orderId, "sent");
  await tell(desk, orderId, { type: "StartSubmission", data: { attempt: 1, channel: "manual" } });
}

const dispatch = (desk: Desk, orderId: string) =>
  tell(desk, orderId, {
    type: "RecordDispatch",
    data: { attempt: 1, dispatchedAt: "2026-11-21T09:00:00.000Z" },
  });
const refundFailed = async (desk: Desk, orderId: string): Promise<unknown> => {
  const told = { refundId: null, providerRefundId: "re_1", intentId: await intentOf(desk, orderId) };
  return tell(desk, orderId, {
    type: "RecordRefundFailure",
    data: { ...told, amountPence: 4500, code: "declined" },
  });
};
const dispute = async (desk: Desk, orderId: string): Promise<unknown> => {
  const about = { disputeId: "du_1", intentId: await intentOf(desk, orderId), amountPence: 4500 };
  return tell(desk, orderId, { type: "RecordDispute", data: { ...about, reason: "general", outcome: null } });
};
const intentOf = async (desk: Desk, orderId: string): Promise<string> =>
  (await desk.orders.load(orderId)).order.payments[0]?.intentId ?? "";
const bankTransfer = async (
  desk: Desk,
  orderId: string,
  amountPence = 100,
  by: StaffAct = act,
): Promise<unknown> => {
  const transfer = { intentId: await intentOf(desk, orderId), amountPence, approvalAbovePence: null };
  return recordBankTransfer(desk, orderId, { ...transfer, reference: "FT-4711" }, by);
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
    refusal("not-in-price-list", nowhere, (desk) =>
      createOrder(desk, orderRequest({ totalAmount: 44 }), key("order"), "a-request"),
    ),
    refusal(
      reused,
      (desk) => createOrder(desk, orderRequest(), key("order"), "a-request"),
      (desk) => createOrder(desk, orderRequest({ email: "other@post.example" }), key("order"), "a-request"),
    ),
  ],
  AddVariant: [
    refusal("unknown-order", nowhere, variant),
    refusal("already-paid", paidOrder, variant),
    refusal("already-cancelled", purgedOrder, (desk, orderId) => variant(desk, orderId, {}, "once-more")),
    refusal("quoted-otherwise", pricedOrder, (desk, orderId) =>
      variant(desk, orderId, { choice: { ...request.choice, copies: 2 } }),
    ),
    refusal(
      reused,
      async (desk) => {
        const orderId = await pricedOrder(desk);
        await variant(desk, orderId);
        return orderId;
      },
      (desk, orderId) => variant(desk, orderId, { application }),
    ),
  ],
  CorrectContact: [
    refusal("contact-purged", purgedOrder, correct),
    refusal("attempt-open", after(startAttempt), (desk, orderId) =>
      correct(desk, orderId, { contactAddress: address }),
    ),
    refusal("already-submitted", after(submit), (desk, orderId) =>
      correct(desk, orderId, { contactFullName: "Ms Siân Rhys" }),
    ),
  ],
  RecordSubmission: [
    refusal("already-submitted", after(submit), (desk, orderId) =>
      recordManualSubmission(desk, orderId, submission, act),
    ),
    refusal("changed-meanwhile", after(startByHand), (desk, orderId) =>
      recordManualSubmission(desk, orderId, submission, late),
    ),
    refusal("nothing", after(submit), (desk, orderId) => {
      const report = { orderId, attempt: 1, key: `order-${orderId}-submission-1`, by: customer };
      return recordAcceptance(desk, report, { ...submission, acceptedAt: submission.submittedAt });
    }),
  ],
  AmendApplication: [
    refusal("not-paid", pricedOrder, amend),
    refusal("attempt-open", after(startAttempt), amend),
    refusal("already-submitted", after(submit), amend),
    refusal("changed-meanwhile", paidOrder, (desk, orderId) =>
      amend(desk, orderId, { ...customer, expectedRevision: 0 }),
    ),
  ],
  ReplaceApplication: [
    refusal("purge-pending", after(submit, question), amend),
    refusal("already-dispatched", after(submit, question, purge, dispatch), amend),
  ],
  AddNote: [
    refusal("contact-purged", purgedOrder, (desk, orderId) => addNote(desk, orderId, "Rang.", act)),
    refusal("changed-meanwhile", paidOrder, (desk, orderId) => addNote(desk, orderId, "Rang.", late)),
  ],
  RecordBankTransfer: [
    refusal("no-failed-refund", paidOrder, bankTransfer),
    refusal("dispute-open", after(refundFailed, dispute), bankTransfer),
    refusal("above-captured", after(refundFailed), (desk, orderId) => bankTransfer(desk, orderId, 9001)),
    refusal("changed-meanwhile", after(refundFailed), (desk, orderId) =>
      bankTransfer(desk, orderId, 100, late),
    ),
  ],
  OpenTicket: [
    refusal(reused, opened, (desk) => open(desk, { message: "Another" })),
    refusal(reused, purgedTicket, (desk) => open(desk)),
  ],
  ReplyToTicket: [
    refusal("unknown-ticket", nowhere, (desk, ticketId) => reply(desk, ticketId)),
    refusal("ticket-purged", purgedTicket, (desk, ticketId) => reply(desk, ticketId, "Hi", "another")),
    refusal(reused, purgedTicket, (desk, ticketId) => reply(desk, ticketId)),
    refusal("answer-pending", unansweredTicket, (desk, ticketId) => reply(desk, ticketId)),
    refusal("changed-meanwhile", unansweredTicket, (desk, ticketId) =>
      replyToTicket(desk, { ticketId, text: "Hello.", key: undefined, by: staff, seen: 0 }),
    ),
  ],
  NoteOnTicket: [
    refusal("staff-only", opened, (desk, ticketId) => note(desk, ticketId, writer)),
    refusal("ticket-purged", purgedTicket, (desk, ticketId) => note(desk, ticketId)),
    refusal("changed-meanwhile", unansweredTicket, (desk, ticketId) => note(desk, ticketId, staff, 0)),
  ],
};

/** The commands whose data names a record of the vault that is sealed for it. */
const sealing = Object.entries({ ...orderCommandSchemas, ...ticketCommandSchemas })
  .filter(
    ([, schema]) =>
      schema instanceof z.ZodObject &&
      Object.values(schema.shape).some(
        (part) =>
          part === field.vaultReference ||
          (part instanceof z.ZodNullable && part.unwrap() === field.vaultReference),
      ),
  )
  .map(([type]) => type)
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
    const send = await given(deskOnVault());
    const before = await kept();
    expect(await ruleOf(send)).toBe(rule);
    expect(await kept()).toEqual(before);
  });

  test("is told from one that is taken (control)", async () => {
    const desk = deskOnVault();
    const orderId = await pricedOrder(desk);
    const before = await kept();
    await variant(desk, orderId);
    // The application, and the key that repeats are compared by.
    expect(await kept()).toEqual({ rows: before.rows + 2, keys: before.keys + 2 });
  });
});
