import { isDeepStrictEqual } from "node:util";
import { endsWithName } from "../../domain/forms/names.ts";
import {
  type ContactRecord,
  contactGiven,
  contactRecord,
  type Recipient,
} from "../../domain/forms/sealed-records.ts";
import { resendable } from "../../domain/mailbox.ts";
import type { OrderCommand, OrderCommandData } from "../../domain/order/commands.ts";
import { decide } from "../../domain/order/decide.ts";
import { unsealed } from "../../domain/order/personal-data/vault-records.ts";
import { forbidden } from "../../domain/order/rules.ts";
import type { Order, OrderState } from "../../domain/order/state.ts";
import { comparableEmail } from "../../domain/ticket/held-texts.ts";
import type { JsonObject } from "../../infra/json.ts";
import { openWhole, unlessGone } from "../vault/vault.ts";
import { type ClientKey, clientCommandId } from "./command-ids.ts";
import type { OrderDependencies } from "./dependencies.ts";
import { existingOrder, type OnBehalf, type OrderResult } from "./orders.ts";
import { typedCommand } from "./personal-data.ts";

/** Changed fields and phones only. A null recipient, an empty reference or evening phone take away what there was. */
export type ContactChange = {
  readonly [Field in Exclude<keyof ContactRecord, "recipient" | "contactPhone">]?:
    | ContactRecord[Field]
    | undefined;
} & {
  readonly recipient?: Recipient | null | undefined;
  readonly contactPhone?: Partial<ContactRecord["contactPhone"]> | undefined;
};

/**
 * Corrects the contact details, with a complete new record. The confirmation is sent again while it is still relevant,
 * and so is what did not arrive; policies tell a previous email address and destroy the old record. Without a change
 * nothing happens, unless a mail did not arrive: then it is sent again.
 * @throws Refused once the contact data is purged; for name and postal address once the GRO may have them;
 * `too-many-corrections`
 */
export function correctContact(
  deps: OrderDependencies,
  orderId: string,
  change: ContactChange,
  key: ClientKey | undefined,
  by: OnBehalf,
): Promise<OrderResult> {
  return deps.orders.execute({
    orderId,
    by,
    ...typedCommand<OrderState, OrderCommand>(deps, {
      subject: orderId,
      commandId: clientCommandId(deps.deriveId, deps.newId, key),
      repeatable: key !== undefined,
      body: withoutGaps(change),
      draft: correcting(unsealed, { postal: false, emailChanged: false }),
      command: async (seal, state) => {
        const order = existingOrder(state);
        const current = await openCurrent(deps, order);
        const corrected = withChange(current, change);
        const isSame = isDeepStrictEqual(corrected, current);
        if (isSame && resendable(order.mails).length === 0) return "nothing";
        const changed = {
          postal: isPosted(current, corrected),
          emailChanged: comparableEmail(current.email) !== comparableEmail(corrected.email),
        };
        // The changes are known only now: check with the order again before sealing anything.
        decide(order, correcting(unsealed, changed), { commandId: "", at: deps.now().toISOString(), ...by });
        return correcting(await seal("contact", "contact", corrected), changed);
      },
    }),
  });
}

const correcting = (
  contactRef: string,
  changed: Omit<OrderCommandData<"CorrectContact">, "contactRef">,
): OrderCommand => ({ type: "CorrectContact", data: { contactRef, ...changed } });

async function openCurrent({ vault }: OrderDependencies, order: Order): Promise<ContactRecord> {
  const { contact } = order.vault;
  if (contact === null) throw forbidden(order, "contact-purged");
  const current = await unlessGone(openWhole(vault, contact, contactRecord));
  // It may have been destroyed since the order was read.
  if (!current) throw forbidden(order, "contact-purged");
  return current;
}

const withoutGaps = (change: ContactChange): JsonObject =>
  Object.fromEntries(
    Object.entries(change).flatMap(([field, answer]) => (answer === undefined ? [] : [[field, answer]])),
  );

const withChange = (current: ContactRecord, change: ContactChange): ContactRecord =>
  contactGiven({
    companyName: change.companyName ?? current.companyName,
    email: change.email ?? current.email,
    ...namesOf(current, change),
    contactAddress: change.contactAddress ?? current.contactAddress,
    contactPhone: { ...current.contactPhone, ...change.contactPhone },
    recipient: change.recipient === undefined ? current.recipient : change.recipient,
    customerReference: change.customerReference ?? current.customerReference,
  });

/** The last name stays told apart while the full name ends with it: a title or a first name may have been corrected. */
function namesOf(current: ContactRecord, change: ContactChange) {
  const contactFullName = change.contactFullName ?? current.contactFullName;
  const contactLastName = change.contactLastName ?? current.contactLastName;
  return endsWithName(contactFullName, contactLastName)
    ? { contactFullName, contactLastName }
    : { contactFullName };
}

const isPosted = (a: ContactRecord, b: ContactRecord): boolean =>
  a.contactFullName !== b.contactFullName ||
  !isDeepStrictEqual(a.contactAddress, b.contactAddress) ||
  !isDeepStrictEqual(a.recipient, b.recipient);
