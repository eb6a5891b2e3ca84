import type { Fate, Remote } from "../platform/network.ts";

const bothSlowMs = 15_000;

/** Sees which mails leave twice, and whether a sender could have known. */
export class MailWatch {
  readonly #now: () => Date;
  /** Mails that left and are not on record yet, with whether anything went wrong since. */
  readonly #unrecorded = new Map<string, { isExcused: boolean }>();
  readonly #recorded = new Set<string>();
  /** A machine that sends after a pause, or a copy on its way when its machine died, cannot know of the other. */
  #excusedUntilMs = 0;
  /**
   * While the mail server is slow, or the log that records the mail, a note on the task list keeps it from others; but
   * not while the list is slow as well, or the log from which it is filled, or the queue that its follower waits for.
   */
  readonly #slowAtMs = new Map<Remote, number>();
  #storageFaultAtMs = 0;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** A fault: a mail that left and is not on record may now be sent again. */
  disrupted(remote: Remote, fate: Fate): void {
    const atMs = this.#now().getTime();
    if (remote === "list" || remote === "log") this.#storageFaultAtMs = atMs;
    if (fate === "slow") {
      this.#slowAtMs.set(remote, atMs);
      return;
    }
    for (const mail of this.#unrecorded.values()) mail.isExcused = true;
    const isUnanswered = remote === "mail" && (fate === "late" || fate === "answer lost");
    const excusedForMs = fate.startsWith("pauses")
      ? 900_000
      : fate.startsWith("dies") || isUnanswered
        ? 180_000
        : 0;
    this.#excusedUntilMs = Math.max(this.#excusedUntilMs, atMs + excusedForMs);
  }

  recorded(messageId: string): void {
    this.#unrecorded.delete(messageId);
    this.#recorded.add(messageId);
  }

  /** @returns what must not have happened */
  sent(messageId: string): string[] {
    const earlier = this.#unrecorded.get(messageId);
    const isAgain = this.#recorded.has(messageId) || (earlier && !earlier.isExcused);
    const nowMs = this.#now().getTime();
    const slow = (remote: Remote) => nowMs - (this.#slowAtMs.get(remote) ?? 0) < bothSlowMs;
    const isStorageFaulty = nowMs - this.#storageFaultAtMs < bothSlowMs;
    const isAllSlow = (slow("mail") && isStorageFaulty) || (slow("log") && (slow("list") || slow("queue")));
    const isExcused = nowMs < this.#excusedUntilMs || isAllSlow;
    this.#unrecorded.set(messageId, { isExcused });
    return isAgain && !isExcused ? [`mailed twice: ${messageId}`] : [];
  }
}
