import type { AnyTask } from "../../../services/policies/subject.ts";
import {
  type Derived,
  firstLookAt,
  type ListedTask,
  type TaskList,
} from "../../../services/policies/tasks/task-list.ts";

type Row = {
  readonly subjectId: string;
  readonly name: string;
  readonly kind: AnyTask["kind"];
  readonly follows: string | null;
  dueMs: number;
  lookMs: number;
  tries: number;
};

const purgeLookMs = 10_000;

/** The table of tasks, as its statements in Postgres treat it. Machines share it. */
export class TaskRows {
  readonly #rows = new Map<string, Row>();

  /** What a batch of the follower would change, done by `commit`. */
  plan(derived: readonly Derived[], now: Date): { changed: ListedTask[]; commit: () => void } {
    const wanted = derived.flatMap(({ subjectId, tasks }) =>
      tasks.map((task) => rowOf(subjectId, task, now)),
    );
    const changed = wanted.filter((row) => this.#rows.get(keyOf(row))?.dueMs !== row.dueMs).map(listed);
    const commit = () => {
      const subjects = new Set(derived.map(({ subjectId }) => subjectId));
      const kept = new Set(wanted.map(keyOf));
      for (const [key, row] of this.#rows)
        if (subjects.has(row.subjectId) && !kept.has(key)) this.#rows.delete(key);
      for (const row of wanted) this.#put(row, (there) => there.dueMs !== row.dueMs);
    };
    return { changed, commit };
  }

  /** Whether any task is to be looked at by then. */
  hasUntil(ms: number): boolean {
    return [...this.#rows.values()].some(({ lookMs }) => lookMs <= ms);
  }

  followersOf(orderIds: readonly string[]): string[] {
    const rows = [...this.#rows.values()].filter(({ follows }) => follows && orderIds.includes(follows));
    return [...new Set(rows.map(({ subjectId }) => subjectId))];
  }

  /** As a machine sees it; each call goes through `call`. */
  listOf(call: <T>(name: string, effect: () => Promise<T>) => Promise<T>): TaskList {
    const find = (subjectId: string, name: string) => this.#rows.get(keyOf({ subjectId, name }));
    const changing = (name: string, change: () => void) => call(name, async () => change());
    return {
      addMissing: (subjectId, tasks, now) =>
        changing("addMissing", () => {
          for (const task of tasks) {
            const row = rowOf(subjectId, task, now);
            this.#put(row, (there) => there.dueMs > row.dueMs);
          }
        }),
      toLookAt: (now, limit) =>
        call("toLookAt", async () => {
          const due = [...this.#rows.values()].filter(({ lookMs }) => lookMs <= now.getTime());
          return due
            .sort((one, other) => one.lookMs - other.lookMs || one.dueMs - other.dueMs)
            .slice(0, limit)
            .map(listed);
        }),
      latePurges: (now, dueSince, limit) =>
        call("latePurges", async () => {
          const late = [...this.#rows.values()].filter(
            ({ kind, lookMs, dueMs }) =>
              kind === "purge" && lookMs <= now.getTime() && dueMs <= dueSince.getTime(),
          );
          return late
            .sort((one, other) => one.dueMs - other.dueMs)
            .slice(0, limit)
            .map(listed);
        }),
      settle: (subjectId, name) =>
        changing("settle", () => void this.#rows.delete(keyOf({ subjectId, name }))),
      postpone: (subjectId, name, now) =>
        changing("postpone", () => {
          const row = find(subjectId, name);
          if (!row) return;
          const steps = Math.min(Math.floor(row.tries / 4), 5);
          row.lookMs = now.getTime() + (row.kind === "purge" ? purgeLookMs : 15_000 * 2 ** steps);
          row.tries += 1;
        }),
      awaitDue: (subjectId, name, dueAt) =>
        changing("awaitDue", () => {
          const row = find(subjectId, name);
          if (row) Object.assign(row, { dueMs: dueAt.getTime(), lookMs: dueAt.getTime() });
        }),
      hold: (subjectId, name, { now, until, heldUntil }) =>
        call("hold", async () => {
          const row = find(subjectId, name);
          if (!row || (row.lookMs > now.getTime() && row.lookMs !== heldUntil?.getTime())) return false;
          row.lookMs = until.getTime();
          return true;
        }),
      openPurges: async () => [],
    };
  }

  #put(row: Row, isChange: (there: Row) => boolean): void {
    const there = this.#rows.get(keyOf(row));
    if (!there || isChange(there)) this.#rows.set(keyOf(row), { ...row, tries: there?.tries ?? 0 });
  }
}

const keyOf = ({ subjectId, name }: Pick<Row, "subjectId" | "name">) => `${subjectId} ${name}`;

const listed = ({ subjectId, name, kind, dueMs }: Row): ListedTask => ({
  subjectId,
  name,
  kind,
  dueAt: new Date(dueMs),
});

const rowOf = (subjectId: string, task: AnyTask, now: Date): Row => ({
  ...{ subjectId, name: task.name, kind: task.kind, dueMs: Date.parse(task.dueAt), tries: 0 },
  lookMs: firstLookAt(task, now).getTime(),
  follows: "follows" in task ? task.follows : null,
});
