import { type ContactRecord, contactRecord } from "../../../domain/forms/sealed-records.ts";
import { type MailResult, mailTaskName } from "../../../domain/mailbox.ts";
import { isShared, type OwedMail, owedMail } from "../../../domain/order/shared-mails.ts";
import type { Order } from "../../../domain/order/state.ts";
import { uncompared } from "../../orders/command-ids.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import { ordersToLink } from "../../orders/order-links.ts";
import type { OnBehalf } from "../../orders/orders.ts";
import { allOf } from "../../orders/payments/provider-reports.ts";
import { type Mail, type Mailer, MailRefused } from "../../providers/smtp/mailer.ts";
import { openIfThere } from "../../vault/vault.ts";
import { owedTo, subjectIfKnown } from "../subject.ts";
import type { Outcome, OwedTask, TaskDependencies } from "../task-dependencies.ts";
import { sharingOf, type Told } from "./shared-mail.ts";

type MailOf<Template extends string> = { readonly template: Template; readonly about: string };
type MailTask<Template extends string> = MailOf<Template> & { readonly name: string };

/**
 * Sends one mail and records the result. A crash between the two sends it again: better twice than never, and the
 * message id, derived from the event, lets a mail client recognise the repeat.
 * @throws MailUnavailable: the task is tried again
 */
export async function mail(parts: TaskDependencies, owed: OwedTask<"mail">): Promise<Outcome> {
  const { order, task } = owed;
  const { checkoutId } = order;
  if (task.stop) {
    await recordUnsent(parts, order, owedBy(order, task), owed.by, task.stop);
    return "done";
  }
  const own = owedBy(order, task);
  if (checkoutId === undefined || !own || !isShared(order, own)) return mailAbout(parts, owed, []);
  return parts.deps.checkouts.inTurn(checkoutId, () => share(parts, owed));
}

/** Tells of all orders that it is for, or finds that another order's mail has told of this one. */
async function share(parts: TaskDependencies, before: OwedTask<"mail">): Promise<Outcome> {
  const { deps, settings } = parts;
  const { order } = await deps.orders.lastSeen(before.order.orderId);
  const owed = { ...before, order };
  const mail = owedBy(order, owed.task);
  if (!mail) return "done";
  const sharing = await sharingOf(deps, settings, owed, mail);
  if (sharing.kind === "later") return "later";
  if (sharing.kind === "tells") return mailAbout(parts, owed, sharing.others);
  await recordUnsent(parts, order, mail, owed.by, "sent");
  return "done";
}

async function mailAbout(
  parts: TaskDependencies,
  owed: OwedTask<"mail">,
  others: readonly Told[],
): Promise<Outcome> {
  const { deps, mails, finder } = parts;
  const { order, task, by, commandId } = owed;
  const { orderId } = order;
  const { template, about } = task;
  const data = await sendComposed(parts, orderId, task, async () => {
    const contact = await contactOf(deps, order, task);
    const links =
      template === "orderLinks" && contact
        ? await ordersToLink({ ...deps, finder }, contact.email)
        : undefined;
    return mails.compose({ order, contact, template, about, links, together: others });
  });
  if (!data) return "done";
  await deps.orders.execute({ orderId, commandId, by, command: { type: "RecordMail", data } });
  // If this process dies before, each finds out by itself.
  if (data.result === "sent")
    await allOf(
      others.map((told) => {
        const own =
          told.about === undefined ? undefined : owedMail(told.order, { template, about: told.about });
        return recordUnsent(parts, told.order, own, by, "sent");
      }),
    );
  return "done";
}

/** Records a mail that is stopped, or of which another order's has told; a confirmation perhaps before it is due. */
async function recordUnsent(
  { deps, mails }: TaskDependencies,
  order: Order,
  owed: OwedMail | undefined,
  by: OnBehalf,
  result: MailResult,
): Promise<void> {
  if (!owed) return;
  const { orderId } = order;
  const { template, about } = owed;
  const { templateVersion } = mails.compose({ order, contact: undefined, template, about });
  const commandId = `duty-${orderId}-${mailTaskName(owed)}`;
  const data = { template, templateVersion, about, result };
  // Two processes of different builds may record it.
  const request = { orderId, commandId, by, fingerprint: uncompared };
  await deps.orders.execute({ ...request, command: { type: "RecordMail", data } });
}

const owedBy = ({ mails }: Order, { name }: { readonly name: string }): OwedMail | undefined =>
  mails.owed.find((mail) => mailTaskName(mail) === name);

/**
 * A correction may replace the record before it is opened: the mail then goes to the new address, unless it is for the
 * previous one alone. Undefined as well if the mail is no longer owed by then.
 */
async function contactOf(
  deps: OrderDependencies,
  order: Order,
  task: OwedTask<"mail">["task"],
): Promise<ContactRecord | undefined> {
  const { contactRef } = task;
  if (contactRef !== undefined) return openIfThere(deps.vault, contactRef, contactRecord);
  const ref = order.vault.contact;
  const contact = await openIfThere(deps.vault, ref, contactRecord);
  if (ref === null) return undefined;
  // A correction through another process may go unseen until its record is destroyed.
  const { order: current } = await deps.orders[contact ? "lastSeen" : "load"](order.orderId);
  if (current.vault.contact === ref) return contact;
  return owedBy(current, task) ? contactOf(deps, current, task) : undefined;
}

/**
 * Composes a mail and sends it, unless it has no address and has lapsed with it.
 * @returns the result to record @throws MailUnavailable: the task is tried again
 */
export async function sendComposed<Template extends string>(
  parts: TaskDependencies,
  subjectId: string,
  { name, template, about }: MailTask<Template>,
  compose: () => Promise<{ templateVersion: number; mail: Mail | undefined }>,
) {
  const { deps, mailer, settings, now } = parts;
  const { templateVersion, mail } = await compose();
  if (!mail) {
    const subject = await subjectIfKnown(deps, subjectId);
    const tasks = subject ? owedTo(subject, now().toISOString(), settings) : [];
    if (!tasks.some((task) => task.name === name)) return undefined;
  }
  const result = mail ? await send(mailer, mail) : "refused";
  return { template, templateVersion, about, result } as const;
}

/** @throws MailUnavailable */
async function send(mailer: Mailer, mail: Mail): Promise<"sent" | "refused"> {
  try {
    await mailer.send(mail);
    return "sent";
  } catch (error) {
    if (error instanceof MailRefused) return "refused";
    throw error;
  }
}
