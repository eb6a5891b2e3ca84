import type { Arrival } from "../platform/network.ts";
import type { Life } from "../platform/virtual-time.ts";

/** No other worker takes over from one whose heartbeats arrive more often. */
const leaseMs = 8_000;
/** By so much sooner, at most, for each time that the database's clock is set meanwhile. */
const settingMs = 2_000;

/** From one start of a machine to its end, as a key. */
const keyOf = ({ machine, life }: Life): string => `${machine.name}/${life}`;

/** What is known of a machine's worker. */
type Known = { readonly beats: number[]; readonly troubles: Trouble[]; diedAtMs: number };
type Sending = { readonly copies: readonly Arrival[]; readonly recordedAtMs: number };
type Trouble = { readonly fromMs: number; readonly untilMs: number };

/**
 * Sees which mails leave twice, and whether the sender of the first could do nothing about it: the mail server did not
 * answer, or between the look at the clock and the record of the answer the worker died, or was stopped or cut off from
 * the database for longer than its lease.
 */
export class MailWatch {
  readonly #nowMs: () => number;
  readonly #workers = new Map<string, Known>();
  readonly #settingsMs: number[] = [];
  readonly #sendings = new Map<string, Sending>();
  /** Those that came back or cannot arrive: another worker may still repeat one of them, once. */
  readonly #former = new Map<string, Sending>();

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

  /** The database's clock is set. */
  clockSet(): void {
    this.#settingsMs.push(this.#nowMs());
  }

  died(life: Life): void {
    this.#known(life).diedAtMs = this.#nowMs();
  }

  recorded(messageId: string): void {
    const { copies, recordedAtMs } = this.#sendingOf(messageId);
    this.#sendings.set(messageId, { copies, recordedAtMs: Math.min(recordedAtMs, this.#nowMs()) });
  }

  /** It came back, or its address is known to be wrong: it may be sent again. */
  cameBack(messageId: string): void {
    this.#former.set(messageId, this.#sendingOf(messageId));
    this.#sendings.delete(messageId);
  }

  /** @returns what must not have happened */
  sent(messageId: string, copy: Arrival): string[] {
    const former = this.#former.get(messageId);
    this.#former.delete(messageId);
    if (former && former.copies.length > 0 && this.#mayAdd(former, copy)) return [];
    const sending = this.#sendingOf(messageId);
    this.#sendings.set(messageId, { ...sending, copies: [...sending.copies, copy] });
    return this.#mayAdd(sending, copy) ? [] : [`mailed twice: ${messageId}`];
  }

  #mayAdd({ copies, recordedAtMs }: Sending, copy: Arrival): boolean {
    return copies.every((other) => {
      const [first, second] = other.sentMs <= copy.sentMs ? [other, copy] : [copy, other];
      return this.#mayRepeat(first, Math.min(recordedAtMs, second.sentMs));
    });
  }

  #sendingOf(messageId: string): Sending {
    return this.#sendings.get(messageId) ?? { copies: [], recordedAtMs: Number.POSITIVE_INFINITY };
  }

  #mayRepeat({ from, sentMs, isAnswered }: Arrival, untilMs: number): boolean {
    if (!isAnswered) return true;
    const { beats, troubles, diedAtMs } = this.#known(from);
    if (sentMs <= diedAtMs && diedAtMs <= untilMs) return true;
    return [...beats.filter((atMs) => atMs < untilMs), untilMs].some((atMs, nth, all) => {
      const beforeMs = all[nth - 1] ?? atMs;
      const isDisturbed = troubles.some((trouble) => trouble.fromMs <= atMs && trouble.untilMs >= beforeMs);
      const settings = this.#settingsMs.filter((setMs) => beforeMs <= setMs && setMs <= atMs);
      return atMs > sentMs && atMs - beforeMs >= leaseMs - settings.length * settingMs && isDisturbed;
    });
  }

  #known(life: Life): Known {
    const known = this.#workers.get(keyOf(life)) ?? { beats: [], troubles: [], diedAtMs: Number.NaN };
    this.#workers.set(keyOf(life), known);
    return known;
  }
}
