import type { Order } from "../../domain/order/state.ts";
import type { Task, TaskKind, TaskSettings } from "../../domain/order/tasks/task.ts";
import type { Log } from "../../infra/process/log.ts";
import type { StorageWatch } from "../../infra/telemetry/storage/storage-watch.ts";
import { correlated } from "../../infra/telemetry/tracing/tracing.ts";
import type { DraftMails } from "../documents/mail/compose-draft-mails.ts";
import type { OrderMails } from "../documents/mail/compose-order-mails.ts";
import type { TicketMails } from "../documents/mail/compose-ticket-mails.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import type { OnBehalf } from "../orders/orders.ts";
import type { Automation } from "../providers/gro/automation.ts";
import type { Mailer } from "../providers/smtp/mailer.ts";
import type { Finder } from "../vault/blind-index.ts";
import type { AnyTask } from "./subject.ts";

export type TaskDependencies = {
  deps: OrderDependencies;
  automation: Automation;
  mailer: Mailer;
  mails: OrderMails;
  /** Finds the orders that a mail lists. */
  finder: Finder;
  ticketMails: TicketMails;
  draftMails: DraftMails;
  settings: TaskSettings;
  /**
   * Call between reading the log and erasing or resolving what was decided on it.
   * @throws OtherLogAnswers when another log has replaced it, or the store's errors
   */
  confirmLog: () => Promise<void>;
  now: () => Date;
  log: Log;
  /** Knows when our own storage is unavailable; trusted unless given. */
  storage?: StorageWatch;
};

/** A task being performed: the order as read when the task was found to apply, and the command id. */
export type OwedTask<Kind extends TaskKind["kind"]> = {
  order: Order;
  task: Extract<Task, { kind: Kind }>;
  by: OnBehalf;
  commandId: string;
};

/**
 * `done`: the order recorded it, and its event removes the task. `later`: nothing failed, but an outside service does
 * not know yet.
 */
export type Outcome = "done" | "later";

/** A subject's task, and the outside request that caused it. */
type TaskInHand = {
  readonly subjectId: string;
  readonly name: string;
  readonly kind: AnyTask["kind"];
  readonly correlationId: string;
};

/** Observes listing and performing of tasks, each on behalf of the request that caused it. */
export type TaskWatch = {
  /** Lists a subject's tasks after an event. */
  listing(subjectId: string, correlationId: string, work: () => Promise<void>): Promise<void>;
  doing(task: TaskInHand, work: () => Promise<Outcome>): Promise<Outcome>;
  /** Number of overdue application purges, at each round of the sweep. */
  late(purges: number): void;
  /** Subjects that were due and free for longer than it takes to find them. */
  takenLate(subjects: number): void;
};

export const unwatchedTasks: TaskWatch = {
  listing: (_subjectId, correlationId, work) => correlated(correlationId, work),
  doing: ({ correlationId }, work) => correlated(correlationId, work),
  late: () => undefined,
  takenLate: () => undefined,
};
