import { ownApplication } from "../../../../contract/orders/own-records.ts";
import type {
  revealedApplication,
  revealedContact,
  sectionsShown,
} from "../../../../contract/staff-orders/reveals.ts";
import { applicationSections, contactSection } from "../../../documents/application-form.ts";
import type { PrintedSection } from "../../../documents/printed-document.ts";
import type { Presented } from "../../../gateway/routing/presented.ts";
import { presentApplication, presentContact } from "../../requests/present-own-records.ts";
import type { PastEvent } from "../order-history.ts";
import type { RevealedApplication, RevealedContact } from "../reveal-personal-data.ts";
import { actorWords, type NameOf } from "./timeline.ts";

const presentSections = (sections: readonly PrintedSection[]): Presented<typeof sectionsShown> =>
  sections.map(({ heading, facts = [] }) => ({
    heading,
    facts: facts.map(({ name, value }) => ({ name, value })),
  }));

/** A revealed application: in words, and in the shape its form accepts for amending. */
export const presentRevealedApplication = ({
  application,
  signature,
}: RevealedApplication): Presented<typeof revealedApplication> => ({
  sections: presentSections(applicationSections(application, signature ?? undefined)),
  application: presentApplication(ownApplication.parse(application)),
});

/** Revealed contact data, the GRO's reference, and staff notes. */
export const presentRevealedContact = (
  { contact, groReferences, notes, bankTransfers }: RevealedContact,
  history: readonly PastEvent[],
  nameOf: NameOf,
): Presented<typeof revealedContact> => ({
  sections: presentSections([contactSection(contact)]),
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
