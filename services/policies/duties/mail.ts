import { type ContactRecord, contactRecord } from "../../../domain/forms/sealed-records.ts";
import type { Order } from "../../../domain/order/state.ts";
import { type Mailer, MailRefused } from "../../mail/mailer.ts";
import { RecordGone, type Vault } from "../../vault/vault.ts";
import type { DutyParts, Errand, Outcome } from "../errand.ts";

/**
 * Sends one mail and records what came of it. A crash between the two sends it again: better twice than never, and the
 * message id, made of the event it tells of, lets a mail program see that it is the same.
 * @throws MailUnavailable: the job tries again
 */
export async function mail({ desk, mailer, mails }: DutyParts, errand: Errand<"mail">): Promise<Outcome> {
  const { order, duty, by, commandId } = errand;
  const { template, about } = duty;
  const contact = await openContact(desk.vault, order);
  const { templateVersion, mail } = mails.compose({ order, contact, template, about });
  const result = mail ? await send(mailer, mail) : "undeliverable";
  const data = { template, templateVersion, about, result };
  await desk.orders.tell({ orderId: order.orderId, commandId, by, command: { type: "RecordMail", data } });
  return "told";
}

async function openContact(vault: Vault, { vault: { contact } }: Order): Promise<ContactRecord | undefined> {
  if (contact === null) return undefined;
  try {
    return await vault.open(contact, contactRecord);
  } catch (error) {
    if (error instanceof RecordGone) return undefined;
    throw error;
  }
}

async function send(mailer: Mailer, mail: Parameters<Mailer["send"]>[0]): Promise<"sent" | "undeliverable"> {
  try {
    await mailer.send(mail);
    return "sent";
  } catch (error) {
    if (error instanceof MailRefused && error.code === "addressRefused") return "undeliverable";
    throw error;
  }
}
