import { type BounceKind, bounceKind } from "../../../domain/mailbox.ts";
import { orderIdOf } from "../../../domain/order/events.ts";
import { draftIdOf } from "../../../domain/saved-draft/events.ts";
import { ticketIdOf } from "../../../domain/ticket/events.ts";
import { type Bounce, recordBounce } from "../../../services/correspondence/record-bounce.ts";
import { pick } from "../../../services/operations/seed/seeded-random.ts";
import { correctContact } from "../../../services/orders/correct-contact.ts";
import type { Mail } from "../../../services/providers/smtp/mailer.ts";
import { behalfOf, chance, notify, persist, type Site, waits } from "./site.ts";

/** What befalls the mails of one order, ticket or draft. */
type Fate = BounceKind | "arrives";

const fateOf = (site: Site): Fate => (chance(site, 0.8) ? "arrives" : pick(site.random, bounceKind.options));

/** The customers' mailboxes: most take their mail. */
export class Mailboxes {
  readonly #site: Site;
  readonly #fates = new Map<string, { fate: Fate; to: string }>();

  constructor(site: Site) {
    this.#site = site;
  }

  /** A mail has reached the customer's mail server. @param stream of the event that it reports */
  arrived({ messageId, to }: Mail, stream: string): void {
    const site = this.#site;
    const known = this.#fates.get(stream);
    const { fate } = known ?? { fate: fateOf(site) };
    if (!known) this.#fates.set(stream, { fate, to });
    // Another address is well, and so is a mailbox that its owner has seen to.
    if (fate === "arrives" || (known && known.to !== to)) return;
    const subject = subjectOf(stream);
    const [template = "", about = ""] = messageId.split(".");
    const code = pick(site.random, ["5.1.1", "452", ""]);
    const bounce = {
      subject,
      mail: { template, about },
      kind: fate,
      code,
      commandId: `mail-${site.newId()}`,
    };
    site.tell(() => `mailbox: ${fate} of ${messageId}`);
    notify(site, "mailbox", (deps, by) => recordBounce(deps, { ...bounce, by }));
    if (chance(site, 0.6)) site.aside(this.#seeTo(stream, subject));
  }

  /** Its owner gives another address, or clears the mailbox and has everything sent again. */
  async #seeTo(stream: string, { kind, id }: Bounce["subject"]): Promise<void> {
    const site = this.#site;
    await waits(site, 10_000, 200_000);
    const by = behalfOf(site, id);
    const key = { scope: id, key: site.newId() };
    const email = chance(site, 0.5) ? `${key.key}@example.org` : undefined;
    if (kind === "draft") return;
    this.#fates.set(stream, { fate: "arrives", to: "" });
    if (kind === "order")
      await persist(site, "correct contact", (deps) => correctContact(deps, id, { email }, key, by));
    else
      await persist(site, "ask for a link", ({ tickets }) =>
        tickets.execute({
          ticketId: id,
          commandId: key.key,
          by,
          command: { type: "ReplaceTicketLink", data: {} },
        }),
      );
  }
}

function subjectOf(stream: string): Bounce["subject"] {
  const orderId = orderIdOf(stream);
  if (orderId !== undefined) return { kind: "order", id: orderId };
  const ticketId = ticketIdOf(stream);
  if (ticketId !== undefined) return { kind: "ticket", id: ticketId };
  return { kind: "draft", id: draftIdOf(stream) ?? "" };
}
