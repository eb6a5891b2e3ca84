import type { Mail } from "../../../services/providers/smtp/mailer.ts";

/** A mail that has left, and the orders that it tells of. */
type Left = { readonly messageId: string; readonly orderIds: readonly string[] };

/**
 * Sees that each mail of an order that is on record has left, as a mail of its own or as one of another order, and that
 * no other mail tells of it again. An order that was corrected sends its own, and so does one that has no record of a mail
 * that came back.
 */
export class ToldWatch {
  /** By the event. */
  readonly #told = new Map<string, Left[]>();
  readonly #recorded = new Set<string>();
  readonly #corrected = new Set<string>();
  readonly #returned = new Set<string>();

  corrected(orderId: string): void {
    this.#corrected.add(orderId);
  }

  cameBack(messageId: string): void {
    this.#returned.add(messageId);
  }

  /** @returns what must not have happened */
  sent({ messageId, text }: Mail): string[] {
    const [template = ""] = messageId.split(".");
    const lines = [...text.matchAll(/^(\S+) (\S+)$/gm)].map(([, orderId = "", about = ""]) => ({
      orderId,
      about,
    }));
    const left: Left = { messageId, orderIds: lines.map(({ orderId }) => orderId) };
    return lines.flatMap(({ orderId, about }) => {
      const key = keyOf(orderId, template, about);
      const earlier = this.#told.get(key) ?? [];
      this.#told.set(key, [...earlier, left]);
      // Whether a copy may leave is the other watch's question.
      if (earlier.some(({ messageId: of }) => of === messageId)) return [];
      const isUnrecorded = !this.#recorded.has(`${template}.${about}`);
      const again = earlier.find(
        (other) => !(isUnrecorded && this.#returned.has(other.messageId)) && this.#isWrong(other, left),
      );
      return again
        ? [`${template} of order ${orderId} is told by ${messageId}, and ${again.messageId} did`]
        : [];
    });
  }

  /** @returns what must not have happened */
  recorded(orderId: string, template: string, about: string): string[] {
    this.#recorded.add(`${template}.${about}`);
    if (this.#told.has(keyOf(orderId, template, about))) return [];
    return [`${template} of order ${orderId} is on record, and no mail told of it`];
  }

  #isWrong(earlier: Left, left: Left): boolean {
    if (!this.#recorded.has(earlier.messageId)) return false;
    return ![...earlier.orderIds, ...left.orderIds].some((orderId) => this.#corrected.has(orderId));
  }
}

/** A confirmation may tell of an order before it is due there. */
const keyOf = (orderId: string, template: string, about: string): string =>
  `${template} ${template === "confirmation" ? orderId : about}`;
