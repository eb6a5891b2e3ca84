import { Bell } from "../../../infra/event-store/bell.ts";

/** How the peer is told to misbehave, for tests. All of it off to begin with. */
export class PeerFaults {
  /** So many appends are written and then not answered: their call is broken. */
  losesAnswers = 0;
  /** So many appends are turned away before they are written. */
  refusesAppends = 0;
  /** An append of more than so many bytes is refused. */
  mostBytes = 1_048_576;
  /** Whoever reads is told that they have no right to. */
  deniesReads = false;
  /** The node is one of a cluster whose other nodes are gone: it leads no more, and takes nothing that asks for a leader. */
  leaderless = false;
  /** Waits so long before each answer to an append. */
  slowMs = 0;
  /** A new subscription begins so many events too early. */
  repeats = 0;
  /** The least a subscription may lag behind before it is dropped; the server's buffer. */
  liveBuffer = 32;
  readonly #thawed = new Bell();
  #frozen = false;
  #cutAfter = Number.POSITIVE_INFINITY;

  /** A subscription breaks after so many more events, in the middle of whatever it is sending. */
  cutAfter(events: number): void {
    this.#cutAfter = events;
  }

  /** From now on nothing is answered or sent, or all of it is again. */
  freeze(frozen: boolean): void {
    this.#frozen = frozen;
    if (!frozen) this.#thawed.ring();
  }

  /** Waits until the peer is not frozen, or the signal aborts. */
  async untilThawed(signal: AbortSignal): Promise<void> {
    while (this.#frozen && !signal.aborted) await this.#thawed.waitAfter(this.#thawed.rings, 1000, signal);
  }

  /** Whether the next subscriber's event is where the stream breaks. */
  cutsNow(): boolean {
    this.#cutAfter -= 1;
    if (this.#cutAfter >= 0) return false;
    this.#cutAfter = Number.POSITIVE_INFINITY;
    return true;
  }
}
