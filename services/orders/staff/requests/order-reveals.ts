import { ownApplication } from "../../../../contract/orders/own-records.ts";
import type { Presented } from "../../../../contract/request.ts";
import type {
  revealedApplication,
  revealedContact,
  sectionsShown,
} from "../../../../contract/staff-orders/order-page.ts";
import * as contract from "../../../../contract/staff-orders/order-page.ts";
import type { Revealable } from "../../../../domain/order/vocabulary.ts";
import {
  applicationForm,
  applicationSections,
  contactSections,
} from "../../../documents/application-form.ts";
import { type PrintedSection, printPdf } from "../../../documents/print-pdf.ts";
import { Problem } from "../../../gateway/errors/problem.ts";
import type { HandlerDependencies } from "../../../gateway/parts.ts";
import { staffRoute } from "../../../gateway/route.ts";
import type { PastEvent } from "../../orders.ts";
import { presentApplication, presentContact } from "../../requests/present-orders.ts";
import { presentReceipt } from "../page/order-page.ts";
import { actorWords, type NameOf } from "../page/timeline.ts";
import {
  PersonalDataDestroyed,
  type RevealedApplication,
  type RevealedContact,
  revealApplication,
  revealContact,
  revealQuestion,
} from "../reveal-personal-data.ts";
import { historyOf, namesIn, orderOf } from "./order-reads.ts";

/** The access is recorded before anything is opened. */
export const revealOrder = staffRoute(contract.revealOrder, (dependencies) => async (call) => {
  const { dataClass, reason } = call.body;
  const { orderId } = await orderOf(dependencies, call);
  return withReceipt(dependencies, orderId, async () => {
    if (dataClass === "application") {
      const { data, revision, position } = await revealApplication(dependencies.deps, orderId, reason, call);
      return { body: { revision, ...presentRevealedApplication(data) }, position };
    }
    if (dataClass === "question") {
      const { data, revision, position } = await revealQuestion(dependencies.deps, orderId, reason, call);
      return { body: { revision, question: data }, position };
    }
    const { data, revision, position } = await revealContact(dependencies.deps, orderId, reason, call);
    const { history } = await historyOf(dependencies, orderId);
    const nameOf = await namesIn(dependencies, history);
    return { body: { revision, ...presentRevealedContact(data, history, nameOf) }, position };
  });
});

/** The completed form as PDF, made in memory from the vault and never stored. */
export const printApplication = staffRoute(contract.printApplication, (dependencies) => async (call) => {
  const { deps, settings } = dependencies;
  const { reason } = call.body;
  const { orderId } = await orderOf(dependencies, call);
  return withReceipt(dependencies, orderId, async () => {
    const { data } = await revealApplication(deps, orderId, reason, call);
    const { data: revealed, order, position } = await revealContact(deps, orderId, reason, call);
    const contents = { ...data, signature: data.signature ?? undefined, contact: revealed.contact };
    const made = { at: deps.now(), tradingName: settings.current().company.tradingName };
    const bytes = await printPdf(applicationForm(order, contents, made));
    return {
      file: { name: `application-${order.orderNumber}.pdf`, type: "application/pdf", bytes },
      position,
    };
  });
});

/**
 * @throws Problem 410 with the receipt, if the data has been destroyed
 */
async function withReceipt<Answer>(
  dependencies: HandlerDependencies,
  orderId: string,
  open: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof PersonalDataDestroyed)) throw error;
    throw await destroyed(dependencies, orderId, error.dataClass);
  }
}

async function destroyed(
  dependencies: HandlerDependencies,
  orderId: string,
  dataClass: Revealable,
): Promise<Problem> {
  const { purges } = (await historyOf(dependencies, orderId)).now.order;
  const { purgedAt, receipt } =
    dataClass === "question" ? { purgedAt: null, receipt: null } : purges[dataClass];
  const shown = purgedAt !== null && receipt !== null ? presentReceipt(receipt, purgedAt) : null;
  return new Problem("personal-data-destroyed", "This data has been destroyed.", {
    members: { dataClass, receipt: shown },
  });
}

const presentSections = (sections: readonly PrintedSection[]): Presented<typeof sectionsShown> =>
  sections.map(({ heading, facts = [] }) => ({
    heading,
    facts: facts.map(({ name, value }) => ({ name, value })),
  }));

/** A revealed application: in words, and in the shape its form accepts for amending. */
const presentRevealedApplication = ({
  application,
  signature,
}: RevealedApplication): Presented<typeof revealedApplication> => ({
  sections: presentSections(applicationSections(application, signature ?? undefined)),
  application: presentApplication(ownApplication.parse(application)),
});

/** Revealed contact data, the GRO's reference, and staff notes. */
const presentRevealedContact = (
  { contact, groReferences, notes, bankTransfers }: RevealedContact,
  history: readonly PastEvent[],
  nameOf: NameOf,
): Presented<typeof revealedContact> => ({
  sections: presentSections(contactSections(contact, "staff")),
  contact: presentContact(contact),
  groReferences,
  bankTransfers,
  notes: notes.map(({ noteRef, text }) => ({ ...writerOf(history, noteRef, nameOf), text })),
});

function writerOf(history: readonly PastEvent[], noteRef: string, nameOf: NameOf) {
  const past = history.find(({ event }) => event.type === "NoteAdded" && event.data.noteRef === noteRef);
  return past
    ? {
        revision: past.stored.revision,
        at: past.metadata.at,
        by: actorWords(past.metadata.actor, nameOf),
      }
    : { revision: null, at: null, by: null };
}
