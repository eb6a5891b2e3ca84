import { describe, expect, it } from "vitest";
import { sample } from "../../../testing/domain/command-fixture.ts";
import {
  given,
  historyTo,
  orderAfter,
  queried,
  start,
  type TimedEvent,
  uuid,
} from "../../../testing/domain/order-fixture.ts";
import { addSeconds } from "../../instant.ts";
import { decide } from "../decide.ts";
import { type Phase, phases } from "../phases.ts";
import { allowedActions, type StaffAction, staffActions } from "./staff-actions.ts";

const manager: Parameters<typeof allowedActions>[2] = { userId: "ann", role: "manager" };

const offers = (history: readonly TimedEvent[], by = manager): Record<string, string | null> =>
  Object.fromEntries(
    allowedActions(orderAfter(history), addSeconds(start, 2000), by).map(({ action, refusedBy }) => [
      action,
      refusedBy,
    ]),
  );

/** `"3 not-paid"` stands for three cells; a dash is an action that is allowed. A column per phase, in their order. */
const row = (text: string): (string | null)[] =>
  text.split(", ").flatMap((run) => {
    const [, times, rule] = /^(?:(\d+) )?(.+)$/.exec(run) ?? [];
    return Array.from({ length: Number(times ?? 1) }, () => (rule === "-" ? null : (rule ?? "")));
  });

const ended = "already-fulfilled, already-cancelled, already-failed";
const offered: Readonly<Record<StaffAction, (string | null)[]>> = {
  addNote: row("11 -"),
  revealApplication: row("variant-missing, 6 -, 2 application-purged, 2 -"),
  revealContact: row("11 -"),
  revealQuestion: row("11 no-question-text"),
  correctContact: row("11 -"),
  sendAgain: row("11 nothing-to-do"),
  amendApplication: row(
    `variant-missing, 2 not-paid, 2 -, attempt-open, already-submitted, already-dispatched, ${ended}`,
  ),
  startSubmission: row(
    `3 not-paid, not-confirmed, -, attempt-open, already-submitted, already-dispatched, ${ended}`,
  ),
  recordSubmission: row(`3 not-paid, not-confirmed, 2 -, already-submitted, already-dispatched, ${ended}`),
  recordSubmissionFailure: row(
    `3 not-paid, not-confirmed, no-attempt-open, -, already-submitted, already-dispatched, ${ended}`,
  ),
  recordOutcome: row(`3 not-paid, 2 not-submitted, 2 -, already-dispatched, ${ended}`),
  recordDispatch: row(`3 not-paid, 2 not-submitted, 2 -, already-dispatched, ${ended}`),
  cancel: row(`6 -, already-submitted, already-dispatched, ${ended}`),
  fail: row(`3 not-paid, 2 -, attempt-open, -, already-dispatched, ${ended}`),
  refund: row("3 above-captured, 8 -"),
  assignRefund: row("11 nothing-to-do"),
  recordBankTransfer: row("3 above-captured, 8 no-failed-refund"),
  recordBankTransferReturn: row("11 no-such-transfer"),
  recordDisputeOutcome: row("11 no-such-dispute"),
  approveProposal: row("11 no-such-proposal"),
  declineProposal: row("11 no-such-proposal"),
  requestErasure: row("11 -"),
};

const everyCell = staffActions.flatMap((action) =>
  phases.map((phase, column) => [action, phase, offered[action][column] ?? null] as const),
);

describe("what staff may do with an order", () => {
  it.each(everyCell)("%s in %s: %s", (action, phase: Phase, expected) => {
    expect(offers(historyTo[phase])[action]).toBe(expected);
  });

  it("is everything but settling proposals for staff, and nothing for compliance", () => {
    const proposed = proposedBy("ann");
    const staff = offers(proposed, { userId: "bob", role: "staff" });
    expect([staff.approveProposal, staff.declineProposal, staff.refund]).toEqual([
      "role-needed",
      "role-needed",
      null,
    ]);
    const compliance = offers(proposed, { userId: "cat", role: "compliance" });
    expect(new Set(Object.values(compliance))).toEqual(new Set(["role-needed"]));
  });

  it("lets another manager approve, and the proposer only decline", () => {
    const own = offers(proposedBy("ann"));
    expect([own.approveProposal, own.declineProposal]).toEqual(["second-person-needed", null]);
    const others = offers(proposedBy("bob"));
    expect([others.approveProposal, others.declineProposal]).toEqual([null, null]);
  });

  it("holds no refund while a dispute is open", () => {
    const disputed: TimedEvent[] = [...proposedBy("bob"), ...having("RecordDispute")];
    const { refund, approveProposal, declineProposal } = offers(disputed);
    expect([refund, approveProposal, declineProposal]).toEqual(["dispute-open", "dispute-open", null]);
  });

  it("holds the answer to a question of the GRO, and its text", () => {
    expect(offers(queried)).toMatchObject({
      amendApplication: null,
      revealQuestion: null,
      recordOutcome: null,
      cancel: "already-submitted",
    });
  });

  it("offers no reveals and notes once the contact data is purged", () => {
    const forgotten = [...historyTo.Fulfilled, ...having("StartContactDataPurge")];
    const { addNote, revealContact, correctContact, requestErasure, refund } = offers(forgotten);
    expect([addNote, revealContact, correctContact]).toEqual(Array(3).fill("contact-purged"));
    expect([requestErasure, refund]).toEqual(["nothing-to-do", null]);
  });
});

describe("a note", () => {
  it("is recorded once, and named until the contact data goes", () => {
    const noted: TimedEvent[] = [...historyTo.Fulfilled, ...having("AddNote")];
    expect(orderAfter(noted).vault.notes).toEqual([uuid(206)]);
    expect(decide(orderAfter(noted), sample.AddNote, given())).toEqual([]);
    const forgotten = orderAfter([...noted, ...having("StartContactDataPurge")]);
    expect(forgotten.vault.notes).toEqual([]);
    expect(() => decide(forgotten, sample.AddNote, given())).toThrow(
      expect.objectContaining({ rule: "contact-purged" }),
    );
  });
});

function having(type: "AddNote" | "RecordDispute" | "StartContactDataPurge"): TimedEvent[] {
  const events = decide(orderAfter(historyTo.Fulfilled), sample[type], given());
  return events.map((event): TimedEvent => [event, 200_000]);
}

function proposedBy(proposer: string): TimedEvent[] {
  const data = { proposal: 1, intentId: "pi_1", amountPence: 9000, reason: "staffDecision" } as const;
  return [...historyTo.Paid, [{ type: "RefundProposed", data: { ...data, proposedBy: proposer } }, 900]];
}
