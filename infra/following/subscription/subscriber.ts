import { beginning, type Position } from "../../event-store/event-store.ts";
import type { Pool } from "../../postgres/pool.ts";
import { type Follower, type FollowerStatus, LogFollower } from "../follower.ts";
import type { FollowerTurn } from "../follower-turn.ts";
import { type FollowerKey, readFollower } from "../lease.ts";
import { createPositionWaiters } from "../position-waiters.ts";
import type { Member } from "./shared-commit.ts";

/**
 * What this process does for a subscriber: nothing before it starts, waiting for a lease, following by its own
 * checkpoint, or as a member of the subscription. A stopped one is tried again at the next start.
 */
type Stage = "off" | "waiting" | "apart" | "joined" | "stopped";

type SubscriberParts = {
  readonly pool: Pool;
  readonly member: Member;
  /** Follows by its own checkpoint. */
  readonly follower: ConstructorParameters<typeof LogFollower>[0];
  /** Whether this process holds the subscription with it as a member. */
  readonly isMember: (key: FollowerKey) => boolean;
  /** Tries to make a member of a subscriber that follows by itself. */
  readonly join: (subscriber: Subscriber, turn: FollowerTurn) => Promise<boolean>;
  readonly start: (subscriber: Subscriber) => void;
  readonly stop: (subscriber: Subscriber) => Promise<void>;
  /** Its position as the database has it. */
  readonly positionOf: (key: FollowerKey) => Promise<Position>;
  /** Code of a transient error of the subscription. */
  readonly fault: () => string | null;
};

/** A follower that shares checkpoint and lease with the others of its subscription, as far as it can. */
export class Subscriber implements Follower {
  readonly key: FollowerKey;
  readonly member: Member;
  readonly own: LogFollower;
  stage: Stage = "off";
  /** Resolves once it has stopped; undefined unless it is stopping. */
  leaving: Promise<void> | undefined;
  readonly #parts: SubscriberParts;
  readonly #waiters;

  constructor(parts: SubscriberParts) {
    const { name, version } = parts.member;
    this.#parts = parts;
    this.key = { name, version };
    this.member = parts.member;
    this.own = new LogFollower(parts.follower, {
      join: (turn) => parts.join(this, turn),
      reached: (position) => this.reached(position),
    });
    this.#waiters = createPositionWaiters(async () =>
      this.stage === "joined" ? undefined : parts.positionOf(this.key),
    );
  }

  start(): void {
    this.#parts.start(this);
  }

  stop(): Promise<void> {
    return this.#parts.stop(this);
  }

  async status(): Promise<FollowerStatus> {
    const record = await readFollower(this.#parts.pool, this.key);
    const standing = this.isFollowing ? "following" : "standby";
    return {
      ...this.key,
      state: record?.state === "stopped" ? "stopped" : standing,
      position: record?.position ?? beginning,
      reason: record?.stopReason ?? null,
      stoppedAt: record?.stopPosition ?? null,
      fault: this.stage === "apart" ? this.own.fault : this.#parts.fault(),
    };
  }

  get isFollowing(): boolean {
    return this.#parts.isMember(this.key) || this.own.isFollowing;
  }

  caughtUpTo(position: Position, timeoutMs: number): Promise<boolean> {
    return this.#waiters.wait(position, timeoutMs);
  }

  reached(position: Position): void {
    this.#waiters.reached(position);
  }
}
