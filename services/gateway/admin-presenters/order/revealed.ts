import type { PastEvent } from "../../../commands/order-history.ts";
import type { RevealedApplication, RevealedContact } from "../../../commands/reveal-personal-data.ts";
import { applicationSections, contactSection } from "../../../documents/application-form.ts";
import type { PrintedSection } from "../../../documents/printed-document.ts";
import { ownApplication, presentApplication, presentContact } from "../../presenters/own-records.ts";
import { actorWords, type NameOf } from "./timeline.ts";

const presentSections = (sections: readonly PrintedSection[]) =>
  sections.map(({ heading, facts = [] }) => ({
    heading,
    facts: facts.map(({ name, value }) => ({ name, value })),
  }));

/** An application that somebody looks at: in words, and as its form takes it back to be amended. */
export const presentRevealedApplication = ({ application, signature }: RevealedApplication) => ({
  sections: presentSections(applicationSections(application, signature ?? undefined)),
  application: presentApplication(ownApplication.parse(application)),
});

/** Contact data that somebody looks at, what the GRO calls the order, and what colleagues noted about it. */
export const presentRevealedContact = (
  { contact, groReferences, notes }: RevealedContact,
  history: readonly PastEvent[],
  nameOf: NameOf,
) => ({
  sections: presentSections([contactSection(contact)]),
  contact: presentContact(contact),
  groReferences,
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
