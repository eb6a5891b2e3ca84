import { setTimeout as delay } from "node:timers/promises";
import {
  type Beat,
  type Claim,
  type Derived,
  type Deriving,
  lookAt,
  nextLookAt,
  type Retries,
  type WorkTable,
} from "../../services/policies/work/work-table.ts";

type Row = {
  readonly subjectId: string;
  dueMs: number;
  destroysMs: number;
  follows: string | null;
  owner: string | null;
  /** Freed without being let go. */
  isLeft?: boolean;
  fence: number;
  changes: number;
  retries: Retries;
  tasks: readonly { readonly kind: string; readonly dueMs: number }[];
};

/** How many heartbeats a worker has sent, and the last of them: by the workers' clock and by the database's. */
type Beaten = { readonly count: number; readonly clockMs: number; readonly atMs: number };

const left = { owner: null, isLeft: true } as const;

type Lock = { readonly isOver: () => boolean };

/** An open transaction: it locks the rows that it changes, and the workers whose names it writes, until it ends. */
export type WorkTransaction = {
  derive(deriving: Deriving): Promise<readonly Claim[]>;
  /** @throws if it has been rolled back */
  expectOpen(): void;
  commit(): void;
  rollBack(): void;
};

type Call = <T>(name: string, effect: () => Promise<T>) => Promise<T>;

const destroys = new Set(["purge", "destroyRecord"]);
/** Who waits for locks looks again so often, and goes on in the instant in which it finds none of them held. */
const waitMs = 20;

/** A heartbeat moves the workers' clock on by no more. */
const mostMs = 2_000;

const wanted = ({ subjectId, tasks }: Derived, now: Date) => {
  const ends = tasks.filter(({ kind }) => destroys.has(kind)).map((task) => lookAt(task, now));
  return {
    ...{ subjectId, dueMs: nextLookAt(tasks, now).getTime() },
    destroysMs: Math.min(Number.POSITIVE_INFINITY, ...ends),
    follows: tasks.flatMap((task) => ("follows" in task ? [task.follows] : []))[0] ?? null,
    tasks: tasks.map(({ kind, dueAt }) => ({ kind, dueMs: Date.parse(dueAt) })),
  };
};

const claimOf = ({ subjectId, fence, changes, retries }: Row): Claim => ({
  ...{ subjectId, fence: String(fence), changes: String(changes), retries },
});

/** The tables of workers and of work in memory, which behave as in Postgres: the contract is tested on both. */
export class MemoryWorkTable {
  readonly #rows = new Map<string, Row>();
  readonly #beats = new Map<string, Beaten>();
  /** Rows by the open transaction that has written them. */
  readonly #locks = new Map<string, Lock>();
  /** Workers in whose name open transactions take. */
  readonly #namedBy = new Set<{ readonly worker: string; readonly lock: Lock }>();
  #fences = 0;
  readonly #nowMs: () => number;

  /** @param nowMs the database's clock */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** @param isOver whether its connection is gone: then it has been rolled back */
  begin(isOver: () => boolean = () => false): WorkTransaction {
    let hasEnded = false;
    const lock = { isOver: () => hasEnded || isOver() };
    let write = (): void => undefined;
    return {
      derive: async (deriving) => {
        const { derived, worker } = deriving;
        while (derived.some(({ subjectId }) => this.#isLocked(subjectId))) await delay(waitMs);
        for (const { subjectId } of derived) this.#locks.set(subjectId, lock);
        if (worker !== undefined) this.#namedBy.add({ worker, lock });
        const { claims, commit } = this.#derive(deriving);
        write = commit;
        return claims;
      },
      expectOpen: () => {
        if (lock.isOver()) throw new Error("The transaction was rolled back: its connection is gone.");
      },
      commit: () => {
        write();
        hasEnded = true;
      },
      rollBack: () => {
        hasEnded = true;
      },
    };
  }

  #derive({ derived, now, worker, takes, letsGo }: Deriving) {
    const isAlive = worker !== undefined && this.#beats.has(worker);
    const next = derived.map((each): readonly [string, Row | undefined] => {
      const row = this.#rows.get(each.subjectId);
      const isLetGo = worker !== undefined && row?.owner === worker && letsGo.has(each.subjectId);
      const kept = row && !isLetGo && row.owner !== null ? row : undefined;
      const taker = isAlive && !isLetGo && takes.has(each.subjectId) ? worker : null;
      const known = row && isLetGo ? { ...row, retries: {} } : row;
      return [each.subjectId, this.#rowOf(each, now, known, kept?.owner ?? taker)];
    });
    const commit = () => {
      for (const [subjectId, row] of next) {
        if (row) this.#rows.set(subjectId, row);
        else this.#rows.delete(subjectId);
      }
    };
    const isOwned = ({ owner }: Row) => owner !== null && owner === worker;
    const claims = next.flatMap(([, row], nth) =>
      row && isOwned(row) && derived[nth]?.tasks.length ? [claimOf(row)] : [],
    );
    return { claims, commit };
  }

  #rowOf(derived: Derived, now: Date, row: Row | undefined, owner: string | null): Row | undefined {
    const changes = row ? row.changes + 1 : 0;
    if (derived.tasks.length === 0)
      return row && owner !== null && owner === row.owner
        ? { ...row, destroysMs: Number.POSITIVE_INFINITY, follows: null, tasks: [], changes }
        : undefined;
    const isFree = (row?.owner ?? null) === null;
    const fence = row && !isFree ? row.fence : ++this.#fences;
    return { ...wanted(derived, now), owner, fence, changes, retries: row?.retries ?? {} };
  }

  /** Whether any subject is due by then. */
  hasUntil(ms: number): boolean {
    return [...this.#rows.values()].some(({ dueMs }) => dueMs <= ms);
  }

  followersOf(orderIds: readonly string[]): string[] {
    return [...this.#rows.values()]
      .filter(({ follows }) => follows && orderIds.includes(follows))
      .map(({ subjectId }) => subjectId);
  }

  /** As a process sees it; each of its calls goes through `call`. */
  tableOf(call: Call = (_, effect) => effect()): WorkTable {
    const owned = (worker: string, { subjectId, fence, changes }: Claim) => {
      const row = this.#rows.get(subjectId);
      const isSame = row?.owner === worker && String(row.fence) === fence && String(row.changes) === changes;
      return isSame ? row : undefined;
    };
    return {
      enter: (worker) =>
        call("enter", async () => void this.#beats.set(worker, { count: 0, ...this.#moveClock() })),
      beat: (worker) => call<Beat | undefined>("beat", async () => this.#beat(worker)),
      remove: (worker, beats) => call("remove", () => this.#remove(worker, beats)),
      free: (worker, but) =>
        call("free", async () => {
          const free = [...this.#rows.values()].filter(
            ({ owner, subjectId }) =>
              owner === worker && !but.includes(subjectId) && !this.#isLocked(subjectId),
          );
          for (const row of free) Object.assign(row, left);
        }),
      take: ({ worker, at, busy, crowded, most }) =>
        call("take", async () => {
          const rows = [...this.#rows.values()].filter(
            ({ subjectId }) => !busy.includes(subjectId) && !this.#isLocked(subjectId),
          );
          const due = rows
            .filter(({ owner, dueMs }) => owner === null && dueMs <= at.getTime())
            .sort((one, other) => one.dueMs - other.dueMs);
          const hasRoom = ({ tasks }: Row) => {
            const owed = tasks.filter(({ dueMs }) => dueMs <= at.getTime());
            return owed.length === 0 || owed.some(({ kind }) => !crowded.some((each) => each === kind));
          };
          const urgent = due.filter(({ destroysMs }) => destroysMs <= at.getTime()).slice(0, most);
          const taken = new Set([
            ...urgent,
            ...due.filter(hasRoom).slice(0, most),
            ...rows.filter(({ owner }) => owner === worker),
          ]);
          if (taken.size > 0 && !this.#beats.has(worker))
            throw new Error("A worker without its row owns nothing.");
          return [...taken].map((row) => {
            const wasOwned = row.isLeft === true || row.owner !== null;
            Object.assign(row, { owner: worker, isLeft: false, fence: ++this.#fences });
            return { ...claimOf(row), dueAt: new Date(row.dueMs), wasOwned };
          });
        }),
      letGo: (worker, claim, standing) =>
        call("letGo", async () => {
          while (this.#isLocked(claim.subjectId)) await delay(waitMs);
          const row = owned(worker, claim);
          if (!row) return false;
          if (standing === null) return this.#rows.delete(row.subjectId);
          Object.assign(row, { owner: null, dueMs: standing.dueAt.getTime(), retries: standing.retries });
          return true;
        }),
      claimOf: (worker, subjectId) =>
        call<Claim | undefined>("claimOf", async () => {
          const row = this.#rows.get(subjectId);
          return row?.owner === worker ? claimOf(row) : undefined;
        }),
      remind: (derived, now) =>
        call("remind", async () => {
          while (this.#isLocked(derived.subjectId)) await delay(waitMs);
          const row = this.#rows.get(derived.subjectId);
          if (derived.tasks.length === 0) return;
          const next = wanted(derived, now);
          if (!row)
            this.#rows.set(derived.subjectId, {
              ...next,
              ...{ owner: null, fence: ++this.#fences, changes: 0, retries: {} },
            });
          else if (row.dueMs > next.dueMs && Object.values(row.retries).every(({ tries }) => tries === 0))
            Object.assign(row, { ...next, changes: row.changes + 1 });
        }),
      openPurges: async () => [],
    };
  }

  #beat(worker: string): Beat | undefined {
    const beaten = this.#beats.get(worker);
    if (!beaten) return undefined;
    const moved = this.#moveClock();
    this.#beats.set(worker, { count: beaten.count + 1, ...moved });
    const rows = [...this.#rows.values()];
    const free = rows.filter(({ owner }) => owner === null).map(({ dueMs }) => dueMs);
    return {
      others: [...this.#beats].flatMap(([id, { count, clockMs }]) =>
        id === worker ? [] : [{ id, beats: String(count), silentMs: moved.clockMs - clockMs }],
      ),
      nextDueAt: free.length > 0 ? new Date(Math.min(...free)) : null,
      owned: rows.filter(({ owner }) => owner === worker).map(claimOf),
    };
  }

  #moveClock(): Pick<Beaten, "clockMs" | "atMs"> {
    const atMs = this.#nowMs();
    const last = [...this.#beats.values()].sort(
      (one, other) => other.clockMs - one.clockMs || other.atMs - one.atMs,
    )[0];
    if (!last) return { clockMs: 0, atMs };
    const passedMs = atMs - last.atMs;
    return { clockMs: last.clockMs + (passedMs >= 0 && passedMs <= mostMs ? passedMs : mostMs), atMs };
  }

  /** Waits for transactions that take something in its name, as a foreign key does. */
  async #remove(worker: string, beats: string | undefined): Promise<void> {
    const ownsLocked = () =>
      [...this.#rows.values()].some(({ owner, subjectId }) => owner === worker && this.#isLocked(subjectId));
    while (this.#isNamed(worker) || ownsLocked()) await delay(waitMs);
    if (beats !== undefined && String(this.#beats.get(worker)?.count) !== beats) return;
    this.#beats.delete(worker);
    for (const row of this.#rows.values()) if (row.owner === worker) Object.assign(row, left);
  }

  #isNamed(worker: string): boolean {
    for (const named of this.#namedBy) if (named.lock.isOver()) this.#namedBy.delete(named);
    return [...this.#namedBy].some((named) => named.worker === worker);
  }

  #isLocked(subjectId: string): boolean {
    return this.#locks.get(subjectId)?.isOver() === false;
  }
}
