import { type Metadata, status } from "@grpc/grpc-js";
import { Bell } from "../../../infra/event-store/bell.ts";

/** Answer of a node without a leader to a call that needs one. */
export const notReady = { code: status.UNAVAILABLE, details: "Server Is Not Ready" };

/** Whether the call needs a leader and there is none. */
export const lacksLeader = ({ leaderless }: FakeFaults, metadata: Metadata): boolean =>
  leaderless && metadata.get("requires-leader")[0] === "true";

/** Faults that a test can switch on; all off by default. */
export class FakeFaults {
  /** This many appends are written but not answered: their call is broken. */
  losesAnswers = 0;
  /** This many appends are refused unwritten. */
  refusesAppends = 0;
  /** Larger appends are refused. */
  mostBytes = 1_048_576;
  /** Reads are denied. */
  deniesReads = false;
  /** A cluster node whose other nodes are gone: no longer leads, and refuses calls that need a leader. */
  leaderless = false;
  /** Delay before each answer to an append. */
  slowMs = 0;
  /** A new subscription starts this many events too early. */
  repeats = 0;
  /** How far a subscription may lag before it is dropped; the server's buffer. */
  liveBuffer = 32;
  readonly #thawed = new Bell();
  #frozen = false;
  #cutAfter = Number.POSITIVE_INFINITY;

  /** A subscription breaks after this many more events, in the middle of sending. */
  cutAfter(events: number): void {
    this.#cutAfter = events;
  }

  /** Stops or resumes all answers and events. */
  freeze(frozen: boolean): void {
    this.#frozen = frozen;
    if (!frozen) this.#thawed.ring();
  }

  /** Waits until thawed, or the signal aborts. */
  async untilThawed(signal: AbortSignal): Promise<void> {
    while (this.#frozen && !signal.aborted) await this.#thawed.waitAfter(this.#thawed.rings, 1000, signal);
  }

  /** Whether the stream breaks at the next subscription event. */
  cutsNow(): boolean {
    this.#cutAfter -= 1;
    if (this.#cutAfter >= 0) return false;
    this.#cutAfter = Number.POSITIVE_INFINITY;
    return true;
  }
}
