import type { Life } from "../platform/virtual-time.ts";

/** A worker may be taken for dead once its heartbeat has stood still for so long. */
const deadAfterMs = 8_000;

/** One mail on its way, from the moment at which its worker found its lease fresh. */
type Sending = {
  readonly messageId: string;
  readonly from: Life;
  hasLeft: boolean;
  /** Its worker was not told that it left. */
  isUnanswered: boolean;
  lastBeatMs: number;
  /** The longest time since then without a heartbeat. */
  longestGapMs: number;
  /** Earlier ones of the same mail, of which this worker could have known. */
  readonly unexcused: readonly Sending[];
};

/**
 * Sees which mails leave twice. One may, only if the mail server's answer was lost, or if its worker died, or was stopped
 * or cut off from the database for longer than its lease, before another one began.
 */
export class MailWatch {
  readonly #nowMs: () => number;
  readonly #sendings: Sending[] = [];
  readonly #beats = new Map<string, number>();

  constructor(now: () => Date) {
    this.#nowMs = () => now().getTime();
  }

  /** A heartbeat has arrived. */
  beaten(life: Life): void {
    const nowMs = this.#nowMs();
    this.#beats.set(nameOf(life), nowMs);
    for (const sending of this.#sendings) {
      if (nameOf(sending.from) !== nameOf(life)) continue;
      sending.longestGapMs = this.#gapMs(sending);
      sending.lastBeatMs = nowMs;
    }
  }

  /** Has a worker send. */
  async send(from: Life, messageId: string, send: () => Promise<void>): Promise<void> {
    const nowMs = this.#nowMs();
    const earlier = this.#sendings.filter((one) => one.messageId === messageId);
    const sending: Sending = {
      ...{ messageId, from, hasLeft: false, isUnanswered: false, longestGapMs: 0 },
      lastBeatMs: this.#beats.get(nameOf(from)) ?? nowMs,
      unexcused: earlier.filter((one) => !this.#isExcused(one)),
    };
    this.#sendings.push(sending);
    await send().catch((error: unknown) => {
      sending.isUnanswered = true;
      throw error;
    });
  }

  /** A mail has left. @returns what must not have happened */
  left(messageId: string): string[] {
    const all = this.#sendings.filter((one) => one.messageId === messageId);
    const sending = all.find(({ hasLeft }) => !hasLeft);
    if (sending) sending.hasLeft = true;
    const isAgain = all.some((one) => one.hasLeft && one.unexcused.some(({ hasLeft }) => hasLeft));
    return isAgain ? [`mailed twice: ${messageId}`] : [];
  }

  #isExcused(sending: Sending): boolean {
    const { from, isUnanswered } = sending;
    return isUnanswered || from.machine.life !== from.life || this.#gapMs(sending) >= deadAfterMs;
  }

  #gapMs({ longestGapMs, lastBeatMs }: Sending): number {
    return Math.max(longestGapMs, this.#nowMs() - lastBeatMs);
  }
}

const nameOf = ({ machine, life }: Life): string => `${machine.name}/${life}`;
