import { type CommandMetadata, Refused } from "../../domain/decider.ts";
import { addSeconds } from "../../domain/instant.ts";
import type { OrderCommand } from "../../domain/order/commands.ts";
import { decide } from "../../domain/order/decide.ts";
import type { OrderEvent } from "../../domain/order/events.ts";
import { evolve } from "../../domain/order/evolve.ts";
import { bankTransfers } from "../../domain/order/payment/money.ts";
import { absent, exists, type Order, type OrderState } from "../../domain/order/state.ts";
import { priceListAt, priceOf } from "../../domain/pricing/price-list.ts";
import { start, type TimedEvent, uuid } from "./order-fixture.ts";
import { startPurge } from "./purge-fixture.ts";

/** Random walks through the life of an order, for property tests. */

export interface Step {
  readonly command: OrderCommand;
  /** Adjusts commands to the order's state, so that walks get far. */
  readonly isPlausible: boolean;
  readonly waitSeconds: number;
}

/** The command adjusted to the order: the right amount, attempt, intent. */
function bent(order: Order, command: OrderCommand, at: string): OrderCommand {
  const { intents, attempts, confirmation } = order;
  switch (command.type) {
    case "AddVariant": {
      const data = { ...command.data, serviceLevel: "standard" as const, copies: 2 };
      return {
        ...command,
        data: { ...data, amountPence: priceOf(data, priceListAt(at, data.priceLists)).totalPence },
      };
    }
    case "RequestPayment": {
      const closedIntentId = intents.open?.intentId ?? null;
      return {
        ...command,
        data: { ...command.data, amountPence: 9000, attempt: intents.count + 1, closedIntentId },
      };
    }
    case "ConfirmPayment":
      return {
        ...command,
        data: { intentId: intents.open?.intentId ?? command.data.intentId, amountPence: 9000 },
      };
    case "RecordMail": {
      const about = confirmation.about ?? command.data.about;
      return { ...command, data: { ...command.data, template: "confirmation", about } };
    }
    case "RecordBounce": {
      const { template, about } = order.mails.sent.at(-1) ?? command.data;
      return { ...command, data: { ...command.data, template, about } };
    }
    case "StartSubmission":
      return { ...command, data: { ...command.data, attempt: attempts.count + 1 } };
    case "RecordSubmissionFailure":
      return { ...command, data: { ...command.data, attempt: attempts.open?.attempt ?? 1 } };
    case "StartSensitiveDataPurge":
      return startPurge(order, "application");
    case "StartContactDataPurge":
      return startPurge(order, "contact");
    case "PurgeSensitiveData":
    case "PurgeContactData": {
      const { open } = order.purges[command.type === "PurgeContactData" ? "contact" : "application"];
      return { ...command, data: { ...command.data, startedBy: open?.startedBy ?? command.data.startedBy } };
    }
    case "PurgeReplacedRecord": {
      const replaced = order.vault.superseded.find(({ destroyed }) => !destroyed);
      const asked = order.vault.questions.find(({ closedAt }) => closedAt !== null);
      const recordRef = (replaced ?? asked)?.ref ?? command.data.recordRef;
      return { ...command, data: { ...command.data, recordRef } };
    }
    case "CancelOrder":
      return { ...command, data: { ...command.data, closedIntentId: intents.open?.intentId ?? null } };
    default:
      return bentToRefunds(order, command);
  }
}

/** The same for proposals, bank transfers and disputes. */
function bentToRefunds(order: Order, command: OrderCommand): OrderCommand {
  switch (command.type) {
    case "ApproveProposal":
    case "DeclineProposal": {
      const open = order.proposals.find(({ status }) => status === "open");
      return { ...command, data: { proposal: open?.proposal ?? command.data.proposal } };
    }
    case "RecordBankTransfer": {
      const failed = order.refunds.find(({ status }) => status === "failed");
      const referenceRef = order.vault.contact === null ? null : (command.data.referenceRef ?? uuid(208));
      const intentId = failed?.intentId ?? command.data.intentId;
      return { ...command, data: { ...command.data, intentId, referenceRef } };
    }
    case "RecordBankTransferReturn": {
      const made = bankTransfers(order).findIndex(({ status }) => status === "issued");
      return { ...command, data: { transfer: made < 0 ? command.data.transfer : made + 1 } };
    }
    case "RecordDisputeOutcome": {
      const open = order.disputes.find(({ outcome }) => outcome === null);
      return { ...command, data: { ...command.data, disputeId: open?.disputeId ?? command.data.disputeId } };
    }
    case "RecordDispute": {
      const open = order.disputes.find(({ toldBy }) => toldBy !== "provider");
      return open ? { ...command, data: { ...command.data, disputeId: open.disputeId } } : command;
    }
    default:
      return command;
  }
}

/** An order in progress: its state, its log and its clock. */
export interface Walk {
  readonly state: OrderState;
  readonly log: readonly OrderEvent[];
  readonly at: string;
}

/** Result of a command: the events, or the refusal. */
export type Answer = { readonly events: OrderEvent[] } | { readonly refused: Refused };

/** Approvals come from staff who proposed nothing; everything else from the system. */
const metadataAt = (at: string, type?: OrderCommand["type"]): CommandMetadata => ({
  commandId: "walk",
  at,
  actor: type === "ApproveProposal" ? { kind: "staff", id: "approver" } : { kind: "system", id: "walker" },
  correlationId: "walk",
});

/** Runs a command at a moment. Rethrows anything but a refusal. */
export function answerTo(state: OrderState, command: OrderCommand, at: string): Answer {
  try {
    return { events: decide(state, command, metadataAt(at, command.type)) };
  } catch (error) {
    if (error instanceof Refused) return { refused: error };
    throw error;
  }
}

/** The walk after simultaneous events. */
export function withEvents(walk: Walk, events: readonly OrderEvent[], at: string): Walk {
  return events.reduce<Walk>(
    ({ state, log }, event) => {
      const recorded = { eventId: uuid(log.length), at, revision: log.length };
      return { state: evolve(state, event, recorded), log: [...log, event], at };
    },
    { ...walk, at },
  );
}

/** A walk that starts after a history. */
export function begunAfter(history: readonly TimedEvent[]): Walk {
  let walk: Walk = { state: absent, log: [], at: start };
  for (const [event, seconds] of history) walk = withEvents(walk, [event], addSeconds(start, seconds));
  return walk;
}

/** Continues a walk, reporting each command and its result. */
export function walkThrough(
  { from, steps }: { readonly from: readonly TimedEvent[]; readonly steps: readonly Step[] },
  seen: (before: Walk, command: OrderCommand, answer: Answer, next: Walk) => void = () => undefined,
): Walk {
  let walk = begunAfter(from);
  for (const { command, isPlausible, waitSeconds } of steps) {
    const at = addSeconds(walk.at, waitSeconds);
    const asked = isPlausible && exists(walk.state) ? bent(walk.state, command, at) : command;
    const answer = answerTo(walk.state, asked, at);
    const next = "events" in answer ? withEvents(walk, answer.events, at) : { ...walk, at };
    seen(walk, asked, answer, next);
    walk = next;
  }
  return walk;
}

/** The order of a walk, which exists after its first step. */
export function orderOf({ state }: Walk): Order {
  if (!exists(state)) throw new Error("The walk has not begun.");
  return state;
}
