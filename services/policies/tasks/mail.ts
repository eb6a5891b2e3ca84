import { type ContactRecord, contactRecord } from "../../../domain/forms/sealed-records.ts";
import type { OrderCommandData } from "../../../domain/order/commands.ts";
import type { Order } from "../../../domain/order/state.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import { ordersToLink } from "../../orders/order-links.ts";
import { type Mail, type Mailer, MailRefused } from "../../providers/smtp/mailer.ts";
import { openIfThere } from "../../vault/vault.ts";
import { owedTo, subjectIfKnown } from "../subject.ts";
import type { Outcome, OwedTask, TaskDependencies } from "../task-dependencies.ts";
import { confirmationOf } from "./confirmation.ts";

type MailOf<Template extends string> = { readonly template: Template; readonly about: string };
type MailTask<Template extends string> = MailOf<Template> & { readonly name: string };

/**
 * Sends one mail and records the result. A crash between the two sends it again: better twice than never, and the
 * message id, derived from the event, lets a mail client recognise the repeat.
 * @throws MailUnavailable: the job retries
 */
export async function mail(parts: TaskDependencies, owed: OwedTask<"mail">): Promise<Outcome> {
  const { deps, mails, finder } = parts;
  const { order, task, by, commandId } = owed;
  const { orderId } = order;
  const { template, about } = task;
  const confirmation =
    template === "confirmation" && !task.stop ? await confirmationOf(deps, order, by) : undefined;
  if (confirmation?.kind === "later") return "later";
  const record = (data: OrderCommandData<"RecordMail">) =>
    deps.orders.execute({ orderId, commandId, by, command: { type: "RecordMail", data } });
  const result = task.stop ?? (confirmation?.kind === "told" ? "sent" : undefined);
  if (result) {
    const { templateVersion } = mails.compose({ order, contact: undefined, template, about });
    await record({ template, templateVersion, about, result });
    return "done";
  }
  const others = confirmation?.kind === "tells" ? confirmation.others : undefined;
  const data = await sendComposed(parts, orderId, task, async () => {
    const contact = await contactOf(deps, order, task);
    const links =
      template === "orderLinks" && contact
        ? await ordersToLink({ ...deps, finder }, contact.email)
        : undefined;
    return mails.compose({ order, contact, template, about, links, together: others });
  });
  if (data) await record(data);
  return "done";
}

/**
 * A correction may replace the record before it is opened: the mail then goes to the new address, unless it is for the
 * previous one alone. Undefined as well if the mail is no longer owed by then.
 */
async function contactOf(
  deps: OrderDependencies,
  order: Order,
  task: OwedTask<"mail">["task"],
): Promise<ContactRecord | undefined> {
  const { template, about, contactRef } = task;
  if (contactRef !== undefined) return openIfThere(deps.vault, contactRef, contactRecord);
  const ref = order.vault.contact;
  const contact = await openIfThere(deps.vault, ref, contactRecord);
  if (ref === null) return undefined;
  // A correction through another process may go unseen until its record is destroyed.
  const { order: current } = await deps.orders[contact ? "lastSeen" : "load"](order.orderId);
  if (current.vault.contact === ref) return contact;
  const isOwed = current.mails.owed.some((mail) => mail.template === template && mail.about === about);
  return isOwed ? contactOf(deps, current, task) : undefined;
}

/**
 * Composes a mail and sends it, unless it has no address and has lapsed with it.
 * @returns the result to record @throws MailUnavailable: the job retries
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

/** @throws MailUnavailable, or MailRefused for its content */
async function send(mailer: Mailer, mail: Mail): Promise<"sent" | "refused"> {
  try {
    await mailer.send(mail);
    return "sent";
  } catch (error) {
    if (error instanceof MailRefused && error.code === "addressRefused") return "refused";
    throw error;
  }
}
