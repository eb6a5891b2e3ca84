import type { Order } from "../../domain/order/state.ts";
import type { Duty, DutyKind, DutySettings } from "../../domain/order/tasks/task.ts";
import type { Log } from "../../infra/process/log.ts";
import type { StorageWatch } from "../../infra/storage/storage-watch.ts";
import type { OrderMails } from "../mail/compose-order-mails.ts";
import type { TicketMails } from "../mail/compose-ticket-mails.ts";
import type { Desk } from "../orders/dependencies.ts";
import type { OnBehalf } from "../orders/orders.ts";
import type { Automation } from "../providers/gro/automation.ts";
import type { Mailer } from "../providers/smtp/mailer.ts";
import type { DutyList } from "./tasks/task-list.ts";

/** What performing a duty may use. */
export type DutyParts = {
  list: DutyList;
  desk: Desk;
  automation: Automation;
  mailer: Mailer;
  mails: OrderMails;
  ticketMails: TicketMails;
  settings: DutySettings;
  /**
   * To be called between reading the log and destroying, removing or settling what it decided on.
   * @throws OtherLogAnswers when another log has taken its place, or the store's faults
   */
  confirmLog: () => Promise<void>;
  now: () => Date;
  log: Log;
  /** Knows when our own storage is away; trusted unless given. */
  storage?: StorageWatch;
};

/** A duty of one kind on its way: the order as it stood when it was found to be owed, and the id of its command. */
export type Errand<Kind extends DutyKind["kind"]> = {
  order: Order;
  duty: Extract<Duty, { kind: Kind }>;
  by: OnBehalf;
  commandId: string;
};

/**
 * `told`: the order knows, and its event takes the duty off the list. `later`: nothing went wrong, but somebody outside does not know
 * yet.
 */
export type Outcome = "told" | "later";
