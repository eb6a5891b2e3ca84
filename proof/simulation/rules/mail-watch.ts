import type { Arrival } from "../platform/network.ts";
import type { Life } from "../platform/virtual-time.ts";

/** No other worker takes over from one whose heartbeats arrive more often. */
const leaseMs = 8_000;

/** From one start of a machine to its end, as a key. */
const keyOf = ({ machine, life }: Life): string => `${machine.name}/${life}`;

/** What is known of a machine's worker. */
type Known = { readonly beats: number[]; readonly troubles: Trouble[]; diedAtMs: number };
type Trouble = { readonly fromMs: number; readonly untilMs: number };

/**
 * Sees which mails leave twice, and whether the sender of the first could do nothing about it: the mail server did not
 * answer, or between the look at the clock and the record of the answer the worker died, or was stopped or cut off from
 * the database for longer than its lease.
 */
export class MailWatch {
  readonly #nowMs: () => number;
  readonly #workers = new Map<string, Known>();
  readonly #copies = new Map<string, Arrival[]>();
  readonly #recordedAtMs = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** A heartbeat has arrived. */
  beaten(life: Life): void {
    this.#known(life).beats.push(this.#nowMs());
  }

  /** Its heartbeats may not arrive in time. */
  disturbed(life: Life, forMs = 0): void {
    const fromMs = this.#nowMs();
    this.#known(life).troubles.push({ fromMs, untilMs: fromMs + forMs });
  }

  died(life: Life): void {
    this.#known(life).diedAtMs = this.#nowMs();
  }

  recorded(messageId: string): void {
    if (!this.#recordedAtMs.has(messageId)) this.#recordedAtMs.set(messageId, this.#nowMs());
  }

  /** It may be sent again. */
  cameBack(messageId: string): void {
    this.#copies.delete(messageId);
    this.#recordedAtMs.delete(messageId);
  }

  /** @returns what must not have happened */
  sent(messageId: string, copy: Arrival): string[] {
    const others = this.#copies.get(messageId) ?? [];
    this.#copies.set(messageId, [...others, copy]);
    const isRight = others.every((other) => {
      const [first, second] = other.sentMs <= copy.sentMs ? [other, copy] : [copy, other];
      const recordedAtMs = this.#recordedAtMs.get(messageId) ?? Number.POSITIVE_INFINITY;
      return this.#mayRepeat(first, Math.min(recordedAtMs, second.sentMs));
    });
    return isRight ? [] : [`mailed twice: ${messageId}`];
  }

  #mayRepeat({ from, sentMs, isAnswered }: Arrival, untilMs: number): boolean {
    if (!isAnswered) return true;
    const { beats, troubles, diedAtMs } = this.#known(from);
    if (sentMs <= diedAtMs && diedAtMs <= untilMs) return true;
    return [...beats.filter((atMs) => atMs < untilMs), untilMs].some((atMs, nth, all) => {
      const beforeMs = all[nth - 1] ?? atMs;
      const isDisturbed = troubles.some((trouble) => trouble.fromMs <= atMs && trouble.untilMs >= beforeMs);
      return atMs > sentMs && atMs - beforeMs >= leaseMs && isDisturbed;
    });
  }

  #known(life: Life): Known {
    const known = this.#workers.get(keyOf(life)) ?? { beats: [], troubles: [], diedAtMs: Number.NaN };
    this.#workers.set(keyOf(life), known);
    return known;
  }
}
