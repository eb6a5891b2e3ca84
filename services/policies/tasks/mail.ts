import { contactRecord } from "../../../domain/forms/sealed-records.ts";
import { ordersToLink } from "../../orders/order-links.ts";
import { type Mail, type Mailer, MailRefused } from "../../providers/smtp/mailer.ts";
import { openIfThere } from "../../vault/vault.ts";
import type { Outcome, OwedTask, TaskDependencies } from "../task-dependencies.ts";

/**
 * Sends one mail and records the result. A crash between the two sends it again: better twice than never, and the
 * message id, derived from the event, lets a mail client recognise the repeat.
 * @throws MailUnavailable: the job retries
 */
export async function mail(parts: TaskDependencies, owed: OwedTask<"mail">): Promise<Outcome> {
  const { deps, mailer, mails } = parts;
  const { order, task, by, commandId } = owed;
  const { template, about } = task;
  const contact = await openIfThere(deps.vault, order.vault.contact, contactRecord);
  const links =
    template === "orderLinks" && contact
      ? await ordersToLink({ ...deps, finder: parts.finder }, contact.email)
      : undefined;
  const data = await sendComposed(mailer, mails, { order, contact, template, about, links });
  await deps.orders.execute({ orderId: order.orderId, commandId, by, command: { type: "RecordMail", data } });
  return "done";
}

/** Writes and sends the mail of an occasion. @returns the result to record @throws MailUnavailable: the job retries */
export async function sendComposed<Occasion extends { readonly template: string; readonly about: string }>(
  mailer: Mailer,
  mails: { compose(occasion: Occasion): { templateVersion: number; mail: Mail | undefined } },
  occasion: Occasion,
) {
  const { templateVersion, mail } = mails.compose(occasion);
  const result = mail ? await send(mailer, mail) : "undeliverable";
  const { template, about }: Pick<Occasion, "template" | "about"> = occasion;
  return { template, templateVersion, about, result } as const;
}

/** @throws MailUnavailable, or MailRefused for its content */
async function send(mailer: Mailer, mail: Mail): Promise<"sent" | "undeliverable"> {
  try {
    await mailer.send(mail);
    return "sent";
  } catch (error) {
    if (error instanceof MailRefused && error.code === "addressRefused") return "undeliverable";
    throw error;
  }
}
