import type { Order } from "../../domain/order/state.ts";
import type { Task, TaskKind, TaskSettings } from "../../domain/order/tasks/task.ts";
import type { Log } from "../../infra/process/log.ts";
import type { StorageWatch } from "../../infra/telemetry/storage/storage-watch.ts";
import type { DraftMails } from "../documents/mail/compose-draft-mails.ts";
import type { OrderMails } from "../documents/mail/compose-order-mails.ts";
import type { TicketMails } from "../documents/mail/compose-ticket-mails.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import type { OnBehalf } from "../orders/orders.ts";
import type { Automation } from "../providers/gro/automation.ts";
import type { Mailer } from "../providers/smtp/mailer.ts";
import type { Finder } from "../vault/blind-index.ts";
import type { TaskList } from "./tasks/task-list.ts";

export type TaskDependencies = {
  list: TaskList;
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
