import { z } from "zod";
import type { NewEvent } from "../../../infra/event-store/event-store.ts";

const named = z.object({ template: z.string(), about: z.string() });
const bounce = named.extend({ kind: z.string() });
const undeliverable = named.extend({ because: z.string() });

/** What is known of the mails of one stream, from its events alone. */
type Known = {
  /** Mails that went to the address that the stream has now. */
  readonly toItsAddress: Set<string>;
  /** Confirmations that went out and have not come back. */
  readonly confirmed: Set<string>;
  /** Events since mail came back for good, while nobody has corrected the address: what they owe must not leave. */
  readonly sinceDead: Set<string>;
  /** Receipts of deletion that did not arrive, and those of them that a corrected address is to get. */
  readonly lost: Set<string>;
  readonly again: Set<string>;
  isDead: boolean;
  isUnwanted: boolean;
  wasSubmitted: boolean;
};

/**
 * Sees that nothing leaves for an address whose mails come back, and that nothing goes to the GRO before a confirmation
 * has arrived.
 */
export class BounceWatch {
  readonly #streams = new Map<string, Known>();
  readonly #streamOf = new Map<string, string>();

  /** The stream of the event that a mail reports. */
  streamOf(about: string): string | undefined {
    return this.#streamOf.get(about);
  }

  /** @returns what must not have happened */
  appended(stream: string, event: NewEvent): string[] {
    const known = this.#known(stream);
    this.#streamOf.set(event.id, stream);
    if (known.isDead) known.sinceDead.add(event.id);
    return (rules[event.type] ?? (() => []))(known, event).map((words) => `${stream}: ${words}`);
  }

  /** @returns what must not have happened */
  left(template: string, about: string): string[] {
    const stream = this.#streamOf.get(about) ?? "";
    const isLost = template !== "emailChanged" && this.#known(stream).sinceDead.has(about);
    return isLost ? [`${stream}: ${template} left for an address whose mails come back`] : [];
  }

  /** What is wrong at the end. */
  findings(): string[] {
    return [...this.#streams].flatMap(([stream, { again }]) =>
      again.size === 0
        ? []
        : [`${stream}: a receipt did not arrive, and the corrected address did not get it`],
    );
  }

  #known(stream: string): Known {
    const known = this.#streams.get(stream) ?? {
      toItsAddress: new Set(),
      confirmed: new Set(),
      sinceDead: new Set(),
      lost: new Set(),
      again: new Set(),
      isDead: false,
      isUnwanted: false,
      wasSubmitted: false,
    };
    this.#streams.set(stream, known);
    return known;
  }
}

type Rule = (known: Known, event: NewEvent) => string[];

const sent: Rule = (known, { data }) => {
  const { template, about } = named.parse(data);
  if (template !== "emailChanged") known.toItsAddress.add(about);
  if (template === "confirmation") known.confirmed.add(about);
  known.again.delete(about);
  known.lost.delete(about);
  return [];
};

const notSent: Rule = (known, { type, data }) => {
  const { template, about, because } = undeliverable.parse(data);
  known.again.delete(about);
  if (template === "dataDeleted") known.lost.add(about);
  if (because === "refused") return [`${type}, and every mail server takes its address`];
  const isSo = because === "unreachable" ? known.isDead : known.isUnwanted;
  return isSo ? [] : [`${type} as ${because}, and no mail said so`];
};

const addressed: Rule = (known, { data }) => {
  known.isDead = false;
  if ("emailChanged" in data && data.emailChanged === true) known.toItsAddress.clear();
  known.sinceDead.clear();
  // Someone who reported a mail as unwanted may not get it.
  if (!known.isUnwanted) for (const about of known.lost) known.again.add(about);
  known.lost.clear();
  return [];
};

const rules: Readonly<Record<string, Rule>> = {
  MailSent: sent,
  ConfirmationSent: sent,
  MailUndeliverable: notSent,
  ConfirmationUndeliverable: notSent,
  MailBounced(known, { data }) {
    const { template, about, kind } = bounce.parse(data);
    if (template === "dataDeleted" && (kind === "hard" || kind === "spam")) known.lost.add(about);
    if (kind === "complaint") known.isUnwanted = true;
    else known.confirmed.delete(about);
    if (kind === "hard" && known.toItsAddress.has(about)) known.isDead = true;
    return [];
  },
  ContactCorrected: addressed,
  TicketLinkReplaced: addressed,
  ContactDataPurgeStarted(known) {
    known.again.clear();
    return [];
  },
  SubmissionStarted: ({ wasSubmitted, confirmed }) =>
    wasSubmitted || confirmed.size > 0 ? [] : ["goes to the GRO, and no confirmation has arrived"],
  SubmittedToGRO(known) {
    known.wasSubmitted = true;
    return [];
  },
};
