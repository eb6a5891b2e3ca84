import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sample } from "../../testing/domain/command-fixture.ts";
import { anyEvent, tally, valuesOf, walks } from "../../testing/domain/order-arbitraries.ts";
import { created, historyTo, start, uuid } from "../../testing/domain/order-fixture.ts";
import {
  type Answer,
  answerTo,
  begunAfter,
  orderOf,
  type Walk,
  walkThrough,
  withEvents,
} from "../../testing/domain/order-walk.ts";
import { endPurge, startPurge } from "../../testing/domain/purge-fixture.ts";
import { addDays, before } from "../instant.ts";
import { isUnreachable } from "../mailbox.ts";
import type { OrderCommand, OrderCommandType } from "./commands.ts";
import { type OrderEvent, orderEventSchema, orderEventSchemas } from "./events.ts";
import { evolve } from "./evolve.ts";
import {
  capturedPence,
  hasOpenDispute,
  pendingRefundPence,
  refundablePence,
  refundedPence,
  returnedPence,
} from "./payment/money.ts";
import { awaitsRefund } from "./payment/refund-tasks.ts";
import { isAlive, namedRecords } from "./personal-data/vault-records.ts";
import { cellOf, hasEnded, phases } from "./phases.ts";
import { staffTasks } from "./staff/work-queues.ts";
import { absent, exists, type Order } from "./state.ts";
import { publicEntry } from "./status.ts";
import { owed } from "./tasks/owed.ts";
import type { Task } from "./tasks/task.ts";

const settings = {
  purgeAfterSeconds: 5,
  unpaidExpiresAfterSeconds: 86_400,
  contactRetentionDays: 365,
  submissionRequestedWithinSeconds: 60,
};
const runs = { numRuns: 300 };

/** What staff record by their own word is no fact from outside: finer rules may refuse it. */
const recordedByStaff = /^Record(BankTransfer|BankTransferReturn|DisputeOutcome)$/;
const facts = new Set(
  Object.values(sample)
    .map(({ type }): OrderCommandType => type)
    .filter((type) => /^(Record|ConfirmPayment)/.test(type) && !recordedByStaff.test(type))
    .filter((type) => phases.every((phase) => cellOf(type, phase) === "allowed")),
);

describe("an event of any type", () => {
  it.each(Object.entries(orderEventSchemas))("%s is one that the log may hold", (type, { data }) => {
    fc.assert(
      fc.property(valuesOf(data), (value) => {
        expect(orderEventSchema.parse({ type, data: value })).toEqual({ type, data: value });
      }),
      { numRuns: 20 },
    );
  });
});

describe("whatever happens to an order", () => {
  it("walks make every event there is, else they would prove little", () => {
    const made = new Set<string>();
    fc.assert(
      fc.property(walks, (path) => {
        walkThrough(path, (_, __, answer) => {
          if ("events" in answer) for (const { type } of answer.events) made.add(type);
        });
      }),
      // Not another sample each time: rare events would be missing now and then.
      { numRuns: 2_000, seed: 1 },
    );
    const first = new Set(["OrderCreated", "SavedDraftsLinked"]);
    const all = Object.keys(orderEventSchemas).filter((type) => !first.has(type));
    const missing = all.filter((type) => !made.has(type));
    expect(missing, "Start some walks from a history in which a command makes them").toEqual([]);
  });

  it("folding is total: any events after OrderCreated, in any order, make an order", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        const walk = withEvents({ state: absent, log: [], at: start }, [created, ...events], start);
        expect(phases).toContain(walk.state.phase);
        owed(orderOf(walk), start, settings);
        staffTasks(orderOf(walk), start);
      }),
      runs,
    );
  });

  it("an event before OrderCreated, a second OrderCreated and an unknown event fail loudly", () => {
    const recorded = { eventId: uuid(1), at: start, revision: 0 };
    expect(() => evolve(absent, { type: "OrderFulfilled", data: {} }, recorded)).toThrow(
      /before OrderCreated/,
    );
    expect(() => evolve(begunAfter(historyTo.Opened).state, created, recorded)).toThrow(/twice/);
    const unknown = Object.assign({ ...created }, { type: "OrderLost" });
    expect(() => evolve(begunAfter(historyTo.Opened).state, unknown, recorded)).toThrow(/OrderLost/);
  });

  it("a refused command changes nothing, names phase and rule, and is refused again", () => {
    let refusals = 0;
    fc.assert(
      fc.property(walks, (path) => {
        walkThrough(path, (walk, command, answer, next) => {
          if (!("refused" in answer)) return;
          refusals += 1;
          const copy = structuredClone(walk.state);
          expect(answerTo(walk.state, command, next.at)).toMatchObject({ refused: { name: "Refused" } });
          expect(walk.state).toEqual(copy);
          expect(answer.refused).toMatchObject({
            phase: walk.state.phase,
            rule: expect.stringMatching(/^[a-z-]+$/),
          });
        });
      }),
      runs,
    );
    expect(refusals).toBeGreaterThan(0);
  });

  it("an outside fact is never refused", () => {
    expect(facts.size).toBe(14);
    fc.assert(
      fc.property(walks, (path) => {
        walkThrough(path, (_, command, answer) => {
          if (facts.has(command.type)) expect(answer).toHaveProperty("events");
        });
      }),
      runs,
    );
  });

  it("a decision makes only events that the log may hold", () => {
    fc.assert(
      fc.property(walks, (path) => {
        for (const event of walkThrough(path).log)
          expect(orderEventSchema.safeParse(event).success).toBe(true);
      }),
      runs,
    );
  });

  it("totals never drift, and we never ask more back than was taken", () => {
    fc.assert(
      fc.property(walks, (path) => {
        walkThrough(path, (_, command, answer, next) => {
          const order = orderOf(next);
          const { captured, refunded } = tally(next.log);
          expect([capturedPence(order), refundedPence(order)]).toEqual([captured, refunded]);
          const gives = /^(RequestRefund|RecordBankTransfer|ApproveProposal|ConfirmPayment)$/.test(
            command.type,
          );
          if (!gives || !("events" in answer)) return;
          for (const { type, data } of answer.events) {
            if (type !== "RefundRequested" && type !== "BankTransferRecorded") continue;
            const returned = returnedPence(order, data.intentId);
            expect(returned).toBeLessThanOrEqual(capturedPence(order, data.intentId));
            expect(refundablePence(order, data.intentId)).toBe(
              capturedPence(order, data.intentId) - returned,
            );
          }
        });
      }),
      runs,
    );
  });

  const givesIn = (answer: Answer) =>
    "events" in answer
      ? answer.events.filter(
          (event) => event.type === "RefundRequested" || event.type === "BankTransferRecorded",
        )
      : [];

  it("nothing goes back by us while a dispute is open", () => {
    fc.assert(
      fc.property(walks, (path) => {
        walkThrough(path, ({ state }, _, answer, next) => {
          const asked = givesIn(answer).length > 0;
          expect(asked && exists(state) && hasOpenDispute(state)).toBe(false);
          if (!hasOpenDispute(orderOf(next))) return;
          const tasks = owed(orderOf(next), start, settings);
          expect(tasks.filter(({ kind }) => /refund/i.test(kind))).toEqual([]);
        });
      }),
      runs,
    );
  });

  it("a mail is owed, sent or undelivered, and nothing is sent to an address that takes no mail", () => {
    let stopped = 0;
    fc.assert(
      fc.property(walks, (path) => {
        walkThrough(path, (_, __, ___, next) => {
          const { mails } = orderOf(next);
          const keys = [...mails.owed, ...mails.sent, ...(mails.undelivered ?? [])].map(
            ({ template, about }) => `${template} ${about}`,
          );
          expect(new Set(keys).size).toBe(keys.length);
          if (!isUnreachable(mails)) return;
          for (const task of owed(orderOf(next), start, settings)) {
            if (task.kind !== "mail" || task.contactRef !== undefined) continue;
            stopped += 1;
            expect(task.stop).toBe("unreachable");
          }
        });
      }),
      runs,
    );
    expect(stopped).toBeGreaterThan(0);
  });

  it("nothing goes to the GRO for the first time before a confirmation arrived", () => {
    fc.assert(
      fc.property(walks, (path) => {
        walkThrough(path, ({ state }, { type }, answer) => {
          if (type !== "StartSubmission" || !("events" in answer) || !exists(state)) return;
          if (state.submissions > 0) return;
          expect(state.mails.sent.some(({ template }) => template === "confirmation")).toBe(true);
        });
      }),
      runs,
    );
  });

  it("contact data is kept while money is, or may be, on its way", () => {
    fc.assert(
      fc.property(walks, (path) => {
        walkThrough(path, ({ state }, { type }, answer) => {
          if (type !== "StartContactDataPurge" || !("events" in answer) || !exists(state)) return;
          if (answer.events.length === 0) return;
          expect(hasOpenDispute(state) || awaitsRefund(state)).toBe(false);
        });
      }),
      runs,
    );
  });

  it("every record that an event names is kept, or named by the start of its purge or by its proof", () => {
    const refsOf = ({ data }: OrderEvent): unknown[] =>
      Object.entries(data).flatMap(([field, ref]) => (/^(?!previous).*Ref$/.test(field) && ref ? [ref] : []));
    let purged = 0;
    fc.assert(
      fc.property(walks, ({ from, steps }) => {
        const walk = walkThrough({ from, steps });
        const later = walk.log.slice(from.length);
        const started = later.flatMap(({ type, data }) => {
          if (type === "ReplacedRecordPurged" || type === "GROQuestionPurged") return [data.recordRef];
          return type === "SensitiveDataPurgeStarted" || type === "ContactDataPurgeStarted"
            ? data.records.map(({ ref }) => ref)
            : [];
        });
        purged += started.length;
        const { vault } = orderOf(walk);
        const held = [
          ...namedRecords(vault, "application"),
          ...namedRecords(vault, "contact"),
          ...vault.questions,
        ];
        const known = new Set<unknown>([...started, ...held.map(({ ref }) => ref)]);
        expect(later.flatMap(refsOf).filter((ref) => !known.has(ref))).toEqual([]);
      }),
      runs,
    );
    expect(purged).toBeGreaterThan(0);
  });

  it("a proposal is carried out only when a second person approves", () => {
    fc.assert(
      fc.property(walks, (path) => {
        walkThrough(path, (_, { type }, answer) => {
          for (const { data } of givesIn(answer))
            expect(data.proposal !== null).toBe(type === "ApproveProposal");
        });
      }),
      runs,
    );
  });

  it("the price of a paid order is the unit price times its copies, and what was paid", () => {
    fc.assert(
      fc.property(walks, (path) => {
        const order = orderOf(walkThrough(path));
        if (!order.variant) return;
        expect(order.variant.totalPence).toBe(order.variant.unitPricePence * order.variant.copies);
        const paid = order.payments.find(({ unexpected }) => !unexpected);
        if (paid) expect(paid.amountPence).toBe(order.variant.totalPence);
      }),
      runs,
    );
  });

  it("an order that has ended stays ended, and the history says so once", () => {
    fc.assert(
      fc.property(walks, (path) => {
        const walk = walkThrough(path, (earlier, _, __, next) => {
          if (hasEnded(orderOf(earlier).phase)) expect(next.state.phase).toBe(earlier.state.phase);
        });
        const entries = walk.log.flatMap((event) => publicEntry(event, start, "Pending") ?? []);
        const ends = entries.filter(({ text }) => /cancelled|complete/.test(text));
        expect(ends.length).toBe(hasEnded(orderOf(walk).phase) ? 1 : 0);
      }),
      runs,
    );
  });
});

/** The command that reports a task as done; the provider accepts or refuses what it is asked to submit. */
function commandFor(order: Order, task: Task, at: string, accepts: boolean): OrderCommand {
  switch (task.kind) {
    case "cancel":
      return { type: "CancelOrder", data: { reason: task.reason, closedIntentId: task.openIntentId } };
    case "endDrafts":
      return { type: "RecordSavedDraftsEnded", data: {} };
    case "requestSubmission":
      return { type: "RequestSubmission", data: {} };
    case "mail":
      return {
        type: "RecordMail",
        data: { template: task.template, templateVersion: 1, about: task.about, result: "sent" },
      };
    case "submit":
      return { type: "StartSubmission", data: { attempt: task.attempt, channel: "automation" } };
    case "askSubmission":
      return accepts
        ? {
            type: "RecordSubmission",
            data: { attempt: task.attempt, groReferenceRef: uuid(12), submittedAt: at },
          }
        : {
            type: "RecordSubmissionFailure",
            data: { attempt: task.attempt, code: "unknownToProvider", certain: true },
          };
    case "purge":
      return order.purges[task.dataClass].open
        ? endPurge(order, task.dataClass)
        : startPurge(order, task.dataClass, task.rule);
    case "destroyRecord":
      return {
        type: "PurgeReplacedRecord",
        data: { recordRef: task.ref, keyFingerprint: "ab".repeat(32), probe: "unreadable" },
      };
    case "fail":
      return { type: "FailOrder", data: { cause: task.cause, reason: task.reason } };
    case "fulfil":
      return { type: "FulfilOrder", data: {} };
    case "requestRefund":
      return {
        type: "RequestRefund",
        data: {
          intentId: task.intentId,
          amountPence: task.amountPence,
          reason: task.reason,
          approvalAbovePence: null,
        },
      };
    case "divideReturn": {
      const { providerRefundId, intentId, amountPence } = task;
      return accepts
        ? { type: "RecordRefund", data: { refundId: null, providerRefundId, intentId, amountPence } }
        : { type: "RecordRefundOfOthers", data: { providerRefundId } };
    }
    case "refund": {
      const { refundId, intentId, amountPence } = task;
      const providerRefundId = `re_${refundId}`.slice(0, 120);
      return { type: "RecordRefund", data: { refundId, providerRefundId, intentId, amountPence } };
    }
  }
}

/** Does what is owed, earliest first, until nothing is: as policies and sweep would over the years. */
function settle(from: Walk, accepts: boolean, forgotten?: Task["kind"]): Walk {
  let walk = from;
  for (let step = 0; step < 300; step += 1) {
    const tasks = owed(orderOf(walk), walk.at, settings);
    expect(new Set(tasks.map(({ name }) => name)).size).toBe(tasks.length);
    for (const { name } of tasks) expect(name).toMatch(/^[A-Za-z0-9_-]+$/);
    const [next] = tasks
      .filter(({ kind }) => kind !== forgotten)
      .sort((one, other) => (before(one.dueAt, other.dueAt) ? -1 : 1));
    if (!next) return walk;
    const at = before(walk.at, next.dueAt) ? next.dueAt : walk.at;
    const answer = answerTo(walk.state, commandFor(orderOf(walk), next, at, accepts), at);
    if ("refused" in answer) throw new Error(`${next.name} is owed and refused: ${answer.refused.message}`);
    expect(answer.events, `${next.name} is owed though it is done`).not.toEqual([]);
    walk = withEvents(walk, answer.events, at);
  }
  throw new Error("The order is never done with.");
}

/** Every dispute closed and every proposal declined. */
function decided(walk: Walk): Walk {
  const { disputes, proposals } = orderOf(walk);
  const outcomes = ["won", "lost", "warningClosed"] as const;
  const commands: OrderCommand[] = [
    ...proposals
      .filter(({ status }) => status === "open")
      .map(({ proposal }): OrderCommand => ({ type: "DeclineProposal", data: { proposal } })),
    ...disputes
      .filter(({ outcome }) => outcome === null)
      .map(({ openedAt: _, outcome: __, ...data }, n): OrderCommand => {
        const outcome = outcomes[n % outcomes.length] ?? "won";
        return { type: "RecordDispute", data: { ...data, outcome } };
      }),
  ];
  return commands.reduce((now, command) => {
    const answer = answerTo(now.state, command, now.at);
    if ("refused" in answer) throw answer.refused;
    return withEvents(now, answer.events, now.at);
  }, walk);
}

/** All that is left of each payment, transferred by staff where a refund of it failed. */
function withTransfers(walk: Walk): Walk {
  return orderOf(walk).payments.reduce((now, { intentId }) => {
    const order = orderOf(now);
    const hasFailed = order.refunds.some(
      (refund) => refund.intentId === intentId && refund.status === "failed",
    );
    const amountPence = refundablePence(order, intentId);
    if (!hasFailed || amountPence === 0) return now;
    const referenceRef = order.vault.contact === null ? null : uuid(207);
    const data = { intentId, amountPence, referenceRef, approvalAbovePence: null };
    const answer = answerTo(now.state, { type: "RecordBankTransfer", data }, now.at);
    if ("refused" in answer) throw answer.refused;
    return withEvents(now, answer.events, now.at);
  }, walk);
}

/** Waits for an outsider: the GRO, or staff who submit by hand. */
const waitsForOthers = ({ phase, attempts }: Order): boolean =>
  phase === "Submitted" || (phase === "Submitting" && attempts.open?.channel === "manual");

describe("what an order is owed", () => {
  it.each([true, false])(
    "is never refused, and once done leaves nothing behind (provider accepts: %s)",
    (accepts) => {
      fc.assert(
        fc.property(walks, (path) => {
          const order = orderOf(settle(walkThrough(path), accepts));
          if (waitsForOthers(order)) {
            expect(isAlive(order, "application") && order.phase === "Submitted").toBe(false);
            return;
          }
          expect(hasEnded(order.phase)).toBe(true);
          expect(isAlive(order, "application")).toBe(false);
          const tasks = staffTasks(order, addDays(start, 4000));
          const waits = tasks.includes("refundFailed") || tasks.includes("refundProposed");
          if (!isAlive(order, "contact")) return;
          expect(hasOpenDispute(order) || (waits && awaitsRefund(order))).toBe(true);
        }),
        { numRuns: 300 },
      );
    },
  );

  it("is resumed when banks and second persons have decided, and done with once staff transferred what no card took", () => {
    fc.assert(
      fc.property(walks, (path) => {
        const walk = settle(decided(settle(walkThrough(path), true)), true);
        if (waitsForOthers(orderOf(walk))) return;
        const stuck = staffTasks(orderOf(walk), addDays(start, 4000)).includes("refundFailed");
        if (isAlive(orderOf(walk), "contact")) expect(stuck && awaitsRefund(orderOf(walk))).toBe(true);
        const done = orderOf(settle(withTransfers(walk), true));
        expect(isAlive(done, "contact")).toBe(false);
        expect(staffTasks(done, addDays(start, 4000))).not.toContain("refundFailed");
      }),
      runs,
    );
  });

  it("is everything back where an order ended before anything was submitted, whoever caused it", () => {
    const paidFor = { OrderCancelled: 0, OrderFailed: 0 };
    fc.assert(
      fc.property(walks, (path) => {
        const walk = walkThrough(path);
        const types = walk.log.map(({ type }) => type);
        const end = types.find((type) => type === "OrderCancelled" || type === "OrderFailed");
        if (!end || types.slice(0, types.indexOf(end)).includes("SubmittedToGRO")) return;
        const settled = settle(decided(settle(walk, true)), true);
        const done = orderOf(settle(withTransfers(settled), true));
        for (const { intentId } of done.payments) expect(refundablePence(done, intentId)).toBe(0);
        if (done.payments.length > 0) paidFor[end] += 1;
      }),
      { numRuns: 300 },
    );
    expect(Math.min(paidFor.OrderCancelled, paidFor.OrderFailed)).toBeGreaterThan(0);
  });

  it("would show a kind of task that is forgotten (control)", () => {
    const left = (kind: Task["kind"]) => orderOf(settle(begunAfter(historyTo.Cancelled), true, kind));
    expect(refundablePence(left("requestRefund"), "pi_1")).toBe(9000);
    expect(pendingRefundPence(left("refund"))).toBe(9000);
    expect(isAlive(left("refund"), "contact")).toBe(true);
    expect(isAlive(left("purge"), "application")).toBe(true);
  });
});
