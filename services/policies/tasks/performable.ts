import type { Order } from "../../../domain/order/state.ts";
import { owed } from "../../../domain/order/tasks/owed.ts";
import type { Task, TaskKind } from "../../../domain/order/tasks/task.ts";
import { draftOwed } from "../../../domain/saved-draft/state.ts";
import { ticketOwed } from "../../../domain/ticket/owed.ts";
import type { OnBehalf } from "../../orders/orders.ts";
import { performDraftTask } from "../drafts/perform-draft-task.ts";
import { purge } from "../purging/purge.ts";
import type { AnyTask, Subject } from "../subject.ts";
import type { Outcome, OwedTask, TaskDependencies } from "../task-dependencies.ts";
import { performTicketTask } from "../tickets/perform-ticket-task.ts";
import { mail } from "./mail.ts";
import {
  cancel,
  destroyRecord,
  divideReturn,
  endDrafts,
  fail,
  fulfil,
  refund,
  requestRefund,
  submissionRequest,
} from "./simple-tasks.ts";
import { askSubmission } from "./submission-outcome.ts";
import { submit } from "./submit.ts";

/** Allowed difference between the clocks of two machines. */
const toleranceMs = 1_000;

/** A task of a subject, and how to perform it. */
export type Performable = { owed: AnyTask; perform: (by: OnBehalf) => Promise<Outcome> };

/** The tasks of `owedTo`, each with how to perform it. */
export function performable(parts: TaskDependencies, subject: Subject, at: Date): Performable[] {
  const { settings } = parts;
  if (subject.kind === "order") {
    const { order } = subject;
    return owed(order, at.toISOString(), settings).map((task) => ({
      owed: task,
      perform: (by) => perform(parts, order, task, by),
    }));
  }
  if (subject.kind === "draft") {
    const { draft } = subject;
    return draftOwed(draft).map((task) => ({
      owed: task,
      perform: (by) => performDraftTask(parts, draft, task, by),
    }));
  }
  const { ticket } = subject;
  return ticketOwed(ticket, subject.order, settings).map((task) => ({
    owed: task,
    perform: (by) => performTicketTask(parts, ticket, task, by),
  }));
}

export function isEarly(task: AnyTask, at: Date): boolean {
  // A failed purge is already overdue, whatever its next event waits for.
  if (task.kind === "purge" && task.attempt > 1) return false;
  return Date.parse(task.dueAt) - at.getTime() > toleranceMs;
}

function perform(parts: TaskDependencies, order: Order, task: Task, by: OnBehalf): Promise<Outcome> {
  const on = <Kind extends TaskKind["kind"]>(own: Extract<Task, { kind: Kind }>): OwedTask<Kind> => ({
    order,
    task: own,
    by,
    commandId: `duty-${order.orderId}-${own.name}`,
  });
  switch (task.kind) {
    case "cancel":
      return cancel(parts, on(task));
    case "requestSubmission":
      return submissionRequest(parts, on(task));
    case "endDrafts":
      return endDrafts(parts, on(task));
    case "mail":
      return mail(parts, on(task));
    case "submit":
      return submit(parts, on(task));
    case "askSubmission":
      return askSubmission(parts, on(task));
    case "purge":
      return purge(parts, on(task));
    case "destroyRecord":
      return destroyRecord(parts, on(task));
    case "fail":
      return fail(parts, on(task));
    case "fulfil":
      return fulfil(parts, on(task));
    case "requestRefund":
      return requestRefund(parts, on(task));
    case "divideReturn":
      return divideReturn(parts, on(task));
    case "refund":
      return refund(parts, on(task));
    default:
      return task satisfies never;
  }
}
