import { describe, expect, it } from "vitest";
import { sample } from "../../testing/domain/command-fixture.ts";
import {
  disputed,
  given,
  historyTo,
  queried,
  refundStuck,
  start,
  uuid,
} from "../../testing/domain/order-fixture.ts";
import { begunAfter, orderOf, type Walk, withEvents } from "../../testing/domain/order-walk.ts";
import { type ActorKind, Refused } from "../decider.ts";
import { addDays } from "../instant.ts";
import { type OrderCommand, type OrderCommandType, orderCommandSchemas } from "./commands.ts";
import { decide } from "./decide.ts";
import type { OrderEvent } from "./events.ts";
import { phases } from "./phases.ts";
import { mostOfOrder, mostPaymentFailures } from "./rules.ts";
import type { Order } from "./state.ts";
import { owed } from "./tasks/owed.ts";

/** The nth request of its kind, made to be accepted: new records, the right attempt and intent. */
function nth(type: OrderCommandType, order: Order, n: number): OrderCommand {
  const ref = uuid(10_000 + n);
  const closedIntentId = order.intents.open?.intentId ?? null;
  const latest = order.payments.at(-1)?.intentId ?? "pi_1";
  const made: Partial<Record<OrderCommandType, OrderCommand>> = {
    AddVariant: { type: "AddVariant", data: { ...sample.AddVariant.data, applicationRef: ref } },
    RequestPayment: {
      type: "RequestPayment",
      data: {
        intentId: `pi_${n + 2}`,
        amountPence: 9000,
        attempt: order.intents.count + 1,
        closedIntentId,
        checkoutId: null,
      },
    },
    CorrectContact: { type: "CorrectContact", data: { contactRef: ref, postal: false, emailChanged: true } },
    StartSubmission: {
      type: "StartSubmission",
      data: { attempt: order.attempts.count + 1, channel: "manual" },
    },
    RecordGROOutcome: {
      type: "RecordGROOutcome",
      data: { attempt: null, outcome: n % 2 === 0 ? "queried" : "notFound", questionRef: null },
    },
    AmendApplication: {
      type: "AmendApplication",
      data: { applicationRef: ref, groReferenceKnown: n % 2 === 0 },
    },
    ReplaceApplication: {
      type: "ReplaceApplication",
      data: { applicationRef: ref, groReferenceKnown: n % 2 === 0 },
    },
    CancelOrder: { type: "CancelOrder", data: { reason: "customerRequest", closedIntentId } },
    RequestRefund: {
      type: "RequestRefund",
      data: {
        intentId: latest,
        amountPence: 1,
        reason: "staffDecision",
        approvalAbovePence: n % 2 === 0 ? 0 : null,
      },
    },
    RecordBankTransfer: {
      type: "RecordBankTransfer",
      data: {
        intentId: latest,
        amountPence: 1,
        referenceRef: ref,
        approvalAbovePence: n % 2 === 0 ? 0 : null,
      },
    },
    RecordDisputeOutcome: {
      type: "RecordDisputeOutcome",
      data: { disputeId: "du_1", outcome: "won", approvalAbovePence: 0 },
    },
    AddNote: { type: "AddNote", data: { noteRef: ref } },
  };
  return made[type] ?? sample[type];
}

/** Gives a command so often, and answers what came of it and the last refusal. */
function often(
  from: Walk,
  type: OrderCommandType,
  kind: ActorKind,
  times = 600,
): { walk: Walk; events: OrderEvent[]; rule: string | null } {
  let walk = from;
  let rule: string | null = null;
  const events: OrderEvent[] = [];
  for (let n = 0; n < times; n++) {
    try {
      // More than a week after each: some wait for so long.
      const made = decide(walk.state, nth(type, orderOf(walk), n), given(700_000, kind));
      events.push(...made);
      walk = withEvents(walk, made, start);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      ({ rule } = error);
    }
  }
  return { walk, events, rule };
}

/**
 * What providers, policies and clocks execute: each once for what happened outside, and bounded by how often that was
 * asked for.
 */
const reported: readonly OrderCommandType[] = [
  "ConfirmPayment",
  "RecordPaymentFailure",
  "RecordMail",
  "RecordSubmission",
  "RecordSubmissionFailure",
  "RecordDispatch",
  "RecordRefund",
  "RecordRefundFailure",
  "RecordUnassignedRefund",
  "RecordRefundOfOthers",
  "RecordDispute",
  "PurgeSensitiveData",
  "PurgeContactData",
  "PurgeReplacedRecord",
];

/** What a customer's browser can ask for. */
const customers: readonly OrderCommandType[] = [
  "AddVariant",
  "RequestPayment",
  "RequestSubmission",
  "CancelOrder",
  "AmendApplication",
  "ReplaceApplication",
  "CorrectContact",
  "RequestOrderLinks",
];

const histories = [
  ...phases.map((phase) => [phase, historyTo[phase]] as const),
  ["queried", queried] as const,
  ["a refund stuck", refundStuck] as const,
  ["a dispute", disputed] as const,
];

const limitNeeded =
  "Let a second command change nothing, limit its event in mostOfOrder (rules.ts), or list it as reported";

describe("whatever a person asks an order for again and again", () => {
  const requests = Object.keys(orderCommandSchemas)
    .map((type) => Object.values(sample).find((command) => command.type === type)?.type)
    .filter((type) => type !== undefined && !reported.includes(type));
  const cells = requests.flatMap((type) =>
    histories.map(([name, history]) => [type, name, history] as const),
  );

  it.each(cells)("%s in %s comes to an end", (type = "AddNote", _, history) => {
    const { events, rule } = often(begunAfter(history), type, "staff");
    const limits = Object.values(mostOfOrder).map(({ most }) => most);
    expect(events.length, limitNeeded).toBeLessThanOrEqual(Math.max(...limits));
    if (events.length > 1) expect(rule, limitNeeded).toMatch(/^(too-many-|above-captured)/);
  });

  it.each([
    ["AddVariant", "Priced", "too-many-variants", 19],
    ["RequestPayment", "Priced", "too-many-payment-requests", 20],
    ["AmendApplication", "Paid", "too-many-amendments", 10],
    ["CorrectContact", "Priced", "too-many-corrections", 10],
  ] as const)("%s in %s ends for a customer by %s after %i", (type, phase, rule, most) => {
    const asked = often(begunAfter(historyTo[phase]), type, "customer");
    expect(asked).toMatchObject({ rule, events: { length: most } });
    // Staff can help on.
    expect(often(asked.walk, type, "staff").events.length).toBeGreaterThanOrEqual(20);
  });

  it.each([
    ["CorrectContact", "Priced"],
    ["AddNote", "Paid"],
  ] as const)("%s is not limited for policies", (type, phase) => {
    expect(often(begunAfter(historyTo[phase]), type, "system").events).toHaveLength(600);
  });

  it("reads what the limit is", () => {
    const { walk } = often(begunAfter(historyTo.Priced), "CorrectContact", "customer");
    const once = () =>
      decide(walk.state, nth("CorrectContact", orderOf(walk), 5_000), given(1_000, "customer"));
    expect(once).toThrow(expect.objectContaining({ rule: "too-many-corrections", details: { most: 10 } }));
  });
});

it("a thousand declined cards are thirty failures and one mail", () => {
  let walk = begunAfter(historyTo.AwaitingPayment);
  const data = { intentId: "pi_1", code: "cardDeclined" } as const;
  for (let n = 0; n < 1_000; n++) {
    walk = withEvents(walk, decide(walk.state, { type: "RecordPaymentFailure", data }, given(1_000)), start);
  }
  expect(walk.log.filter(({ type }) => type === "PaymentFailed")).toHaveLength(mostPaymentFailures);
  expect(orderOf(walk).mails.owed).toHaveLength(1);
});

/** Does what is owed about replaced records, as a policy would at once. */
function destroyReplaced(walk: Walk): Walk {
  const settings = {
    purgeAfterSeconds: 5,
    unpaidExpiresAfterSeconds: 86_400,
    contactRetentionDays: 365,
    submissionRequestedWithinSeconds: 60,
  };
  const proof = { keyFingerprint: "ab".repeat(32), probe: "unreadable" } as const;
  return owed(orderOf(walk), addDays(start, 1), settings).reduce((now, task) => {
    if (task.kind !== "destroyRecord") return now;
    const data = { recordRef: task.ref, ...proof };
    return withEvents(now, decide(now.state, { type: "PurgeReplacedRecord", data }, given(2_000)), start);
  }, walk);
}

it("a customer who asks for everything without end makes a stream of fewer than two hundred events", () => {
  let walk = begunAfter(historyTo.Opened);
  for (const phase of ["Opened", "AwaitingPayment", "Paid"] as const) {
    if (phase === "Paid") {
      const paid = { type: "ConfirmPayment", data: { intentId: "pi_1", amountPence: 9000 } } as const;
      walk = withEvents(walk, decide(walk.state, paid, given(1_000, "provider")), start);
    }
    for (const type of customers.filter((each) => each !== "CancelOrder")) {
      walk = destroyReplaced(often(walk, type, "customer").walk);
    }
  }
  walk = often(walk, "CancelOrder", "customer").walk;
  expect(orderOf(walk).phase).toBe("Cancelled");
  expect(walk.log.length).toBeGreaterThan(90);
  expect(walk.log.length).toBeLessThan(200);
});

it("a replaced record is owed a purge once", () => {
  const replaced = often(begunAfter(historyTo.Priced), "AddVariant", "customer", 3).walk;
  const isOwed = (walk: Walk) => destroyReplaced(walk).log.length > walk.log.length;
  expect(isOwed(replaced)).toBe(true);
  const gone = destroyReplaced(replaced);
  expect(isOwed(gone)).toBe(false);
  // It cannot come back either.
  const old = sample.AddVariant;
  const again = { ...old, data: { ...old.data, applicationRef: uuid(103) } };
  expect(() => decide(gone.state, again, given(1_000, "customer"))).toThrow(
    expect.objectContaining({ rule: "record-replaced" }),
  );
});
