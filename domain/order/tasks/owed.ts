import { addDays, addSeconds } from "../../instant.ts";
import { mailTaskName, stopOf } from "../../mailbox.ts";
import { orderMailRules } from "../mail-rules.ts";
import { owedRefunds } from "../payment/refund-tasks.ts";
import { owedPurges } from "../personal-data/purge-tasks.ts";
import { isUnpaid } from "../phases.ts";
import { gatheredForSeconds, isGathered, type OwedMail } from "../shared-mails.ts";
import type { Order } from "../state.ts";
import { askAt, givenUpAt, isExhausted, nextAttemptAt } from "../submission/submission-window.ts";
import type { Task, TaskSettings } from "./task.ts";

/** If another card pays within this time, no mail is sent about the first one. */
const secondsToTryAnotherCard = 900;
/** A paid order whose confirmation is not delivered within this time, or came back this long ago, is cancelled. */
const daysUntilUnconfirmed = 7;

function expiry(order: Order, { unpaidExpiresAfterSeconds }: TaskSettings): Task[] {
  if (!isUnpaid(order.phase)) return [];
  const dueAt = addSeconds(order.createdAt, unpaidExpiresAfterSeconds);
  const openIntentId = order.intents.open?.intentId ?? null;
  return [{ kind: "cancel", name: "expire", dueAt, reason: "expired", openIntentId }];
}

function confirmation(
  { phase, paidAt, promise, confirmation: { returnedAt } }: Order,
  { submissionRequestedWithinSeconds }: TaskSettings,
): Task[] {
  if (phase !== "Paid" || paidAt === null) return [];
  const dueAt = addDays(returnedAt ?? paidAt, daysUntilUnconfirmed);
  const cancel: Task = {
    kind: "cancel",
    name: "unconfirmed",
    dueAt,
    reason: "unconfirmed",
    openIntentId: null,
  };
  if (promise !== null) return [cancel];
  const requestAt = addSeconds(paidAt, submissionRequestedWithinSeconds);
  return [{ kind: "requestSubmission", name: "request-submission", dueAt: requestAt }, cancel];
}

function submission(order: Order, now: string, { submissionByHand = false }: TaskSettings): Task[] {
  const { attempts, phase } = order;
  const { open } = attempts;
  // By hand, or without a service to ask, only staff can know the outcome.
  if (phase === "Submitting" && open?.channel === "automation" && !submissionByHand) {
    const { attempt, key, uncertain } = open;
    const name = `ask-submission-${attempt}-${uncertain + 1}`;
    return [{ kind: "askSubmission", name, dueAt: askAt(open), attempt, key }];
  }
  if (phase !== "Confirmed") return [];
  const attempt = attempts.count + 1;
  const failure: Task[] =
    attempts.lastAt === null
      ? []
      : [
          {
            kind: "fail",
            name: `fail-${attempt}`,
            dueAt: givenUpAt(attempts.lastAt),
            cause: "ours",
            reason: "submissionFailed",
          },
        ];
  // By hand it waits for staff, in the queue `notSubmitted`.
  if (submissionByHand || isExhausted(attempts, now)) return failure;
  const dueAt = nextAttemptAt(attempts, order.replacedAt ?? order.confirmation.at ?? now);
  return [{ kind: "submit", name: `submit-${attempt}`, dueAt, attempt }, ...failure];
}

function ending({ phase, outcome, dispatchedAt, submissions }: Order): Task[] {
  if (phase === "Submitted" && outcome?.outcome === "notFound") {
    const name = `not-found-${submissions}`;
    return [{ kind: "fail", name, dueAt: outcome.at, cause: "gro", reason: "recordNotFound" }];
  }
  return phase === "Dispatched" && dispatchedAt !== null
    ? [{ kind: "fulfil", name: "fulfil", dueAt: dispatchedAt }]
    : [];
}

const savedDrafts = ({ savedDraftIds, paidAt }: Order): Task[] =>
  savedDraftIds === undefined || paidAt === null
    ? []
    : [{ kind: "endDrafts", name: "end-drafts", dueAt: paidAt, draftIds: savedDraftIds }];

const mails = (order: Order, settings: TaskSettings): Task[] =>
  order.vault.contact === null
    ? []
    : order.mails.owed.map((mail) => {
        const { template, about, contactRef } = mail;
        const stop = stopOf(order.mails, mail, orderMailRules(order));
        return {
          kind: "mail",
          name: mailTaskName(mail),
          dueAt: mailDueAt(order, mail, settings),
          template,
          about,
          ...(contactRef !== undefined && { contactRef }),
          ...(stop && { stop }),
        };
      });

/** When an owed mail falls due. */
export function mailDueAt(order: Order, mail: OwedMail, settings: TaskSettings): string {
  const { template, since, notBefore } = mail;
  if (template === "paymentFailed") return notBefore ?? addSeconds(since, secondsToTryAnotherCard);
  return notBefore ?? (isGathered(order, mail) ? addSeconds(since, gatheredForSeconds(settings)) : since);
}

/**
 * Everything an order is owed at a moment, including what falls due later. The one place that derives it: policies ask
 * after each event, the sweep asks about each order, and a lost queue loses nothing.
 */
export const owed = (order: Order, now: string, settings: TaskSettings): Task[] => [
  ...expiry(order, settings),
  ...confirmation(order, settings),
  ...savedDrafts(order),
  ...mails(order, settings),
  ...submission(order, now, settings),
  ...ending(order),
  ...owedPurges(order, settings),
  ...owedRefunds(order),
];
