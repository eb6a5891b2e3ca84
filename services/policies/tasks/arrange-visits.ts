import { z } from "zod";
import { nameOfError } from "../../../infra/following/follower-faults.ts";
import type { Jobs, JobToAdd, RunningJob } from "../../../infra/jobs/jobs.ts";
import type { Log } from "../../../infra/process/log.ts";
import { TaskFailed } from "../perform-task.ts";
import type { AnyTask } from "../subject.ts";
import type { ListedTask } from "./task-list.ts";
import type { Visits } from "./visits.ts";

/** Visits due later are left to the queue: after a crash only the sweep would find them. */
const withinMs = 10_000;
/**
 * A task that is overdue by more is left to the queue: after 3 s the sweeps of other processes may begin it, which only
 * the queue knows.
 */
const lateMs = 500;
/** Of urgent visits, and of all others: where mails wait for a silent server, purges must not wait for the mails. */
const mostAtOnce = 8;
const mostWaiting = 1_000;
/** The queue waits as long before its second attempt. */
const retryDelayMs = 500;

/** Visits that this process makes without the job queue, because it derived their tasks itself. */
export type OwnVisits = {
  /** Takes on visits that are due now or in a few seconds. @returns jobs for all others */
  take(tasks: readonly ListedTask[], at: Date): readonly JobToAdd[];
  /** Leaves to the queue what is still to come, and waits for the visits under way. */
  stop(): Promise<void>;
};

type Waiting = { readonly job: JobToAdd; readonly timer: NodeJS.Timeout; readonly dueMs: number };

/** What fails, or finds no room when it is due, becomes a job. What a crash prevents is found by the sweep. */
export function createOwnVisits(parts: {
  readonly handler: (data: JobToAdd["data"]) => Promise<void>;
  readonly jobs: Pick<Jobs, "add">;
  readonly log: Pick<Log, "warn">;
}): OwnVisits {
  const { handler, jobs, log } = parts;
  const waiting = new Map<string, Waiting>();
  const underWay = new Map<string, { readonly isUrgent: boolean; readonly ended: Promise<void> }>();
  const enqueuing = new Set<Promise<void>>();
  let isStopped = false;

  function enqueue(left: readonly JobToAdd[]): Promise<void> {
    const added = jobs
      .add(left)
      .catch((error: unknown) => log.warn({ code: nameOfError(error) }, "the job queue accepted no visits"))
      .finally(() => void enqueuing.delete(added));
    enqueuing.add(added);
    return added;
  }

  async function visit(job: JobToAdd): Promise<void> {
    try {
      await handler(job.data);
    } catch (error) {
      // A failed task has been logged already.
      if (!(error instanceof TaskFailed)) log.warn({ code: nameOfError(error) }, "a visit failed");
      await enqueue([{ ...job, delayMs: retryDelayMs }]);
    } finally {
      underWay.delete(job.id);
    }
  }

  /** False if there is no room. */
  function begin(job: JobToAdd): boolean {
    const isUrgent = job.priority === "urgent";
    const alike = [...underWay.values()].filter((other) => other.isUrgent === isUrgent);
    if (alike.length >= mostAtOnce) return false;
    underWay.set(job.id, { isUrgent, ended: visit(job) });
    return true;
  }

  function fallDue({ job, dueMs }: Pick<Waiting, "job" | "dueMs">): void {
    waiting.delete(job.id);
    if (underWay.has(job.id)) return;
    if (performance.now() - dueMs > lateMs || !begin(job)) void enqueue([{ ...job, delayMs: 0 }]);
  }

  function takeOn(job: JobToAdd): boolean {
    const { id, delayMs = 0 } = job;
    if (underWay.has(id) || waiting.has(id)) return true;
    if (delayMs === 0) return begin(job);
    if (delayMs > withinMs || waiting.size >= mostWaiting) return false;
    const dueMs = performance.now() + delayMs;
    waiting.set(id, { job, dueMs, timer: setTimeout(() => fallDue({ job, dueMs }), delayMs) });
    return true;
  }

  return {
    take(tasks, at) {
      if (isStopped) return visitsAt(tasks, at);
      const isLate = ({ dueAt }: ListedTask) => at.getTime() - dueAt.getTime() > lateMs;
      const left = visitsAt(
        tasks.filter((task) => !isLate(task)),
        at,
      ).filter((job) => !takeOn(job));
      return [...visitsAt(tasks.filter(isLate), at), ...left];
    },
    async stop() {
      isStopped = true;
      const left = [...waiting.values()].map(({ job, timer, dueMs }) => {
        clearTimeout(timer);
        return { ...job, delayMs: Math.max(0, dueMs - performance.now()) };
      });
      waiting.clear();
      if (left.length > 0) void enqueue(left);
      await Promise.all([...underWay.values()].map(({ ended }) => ended));
      await Promise.all(enqueuing);
    },
  };
}

/** Job name of every visit. Earlier builds made one for each task, in the same form. */
export const taskJobKind = "duty";

/** Jobs of earlier builds do not say when their task is due, nor which tasks it is for alone. */
const jobData = z.object({
  subjectId: z.string(),
  name: z.string(),
  dueAt: z.string().optional(),
  only: z
    .string()
    .transform((names) => new Set(names.split(" ")))
    .optional(),
});

/** The promise about sensitive data counts in seconds: purges do not queue behind mails and submissions. */
const urgentKinds: ReadonlySet<AnyTask["kind"]> = new Set(["purge", "destroyRecord"]);

/**
 * Jobs to visit subjects when their tasks fall due, one for all tasks of a subject that are due at the same time. The
 * id combines the two, so adding a job again while it waits or runs changes nothing.
 */
export const visitsAt = (tasks: readonly ListedTask[], now: Date, otherwise?: "background"): JobToAdd[] =>
  jobsOf(tasks, { delayMs: (dueAt) => Math.max(0, dueAt.getTime() - now.getTime()), otherwise });

/** Jobs to visit subjects now, for these tasks alone: others that were due with them may be under way elsewhere. */
export const visitsFor = (tasks: readonly ListedTask[], otherwise?: "background"): JobToAdd[] =>
  jobsOf(tasks, { delayMs: () => 0, otherwise, areAlone: true });

type JobOptions = {
  readonly delayMs: (dueAt: Date) => number;
  /** Priority if not urgent. */
  readonly otherwise: "background" | undefined;
  readonly areAlone?: boolean;
};

function jobsOf(
  tasks: readonly ListedTask[],
  { delayMs, otherwise, areAlone = false }: JobOptions,
): JobToAdd[] {
  const together = Map.groupBy(tasks, ({ subjectId, dueAt }) => `${subjectId}-${dueAt.getTime()}`);
  return [...together].flatMap(([id, own]) => {
    const [first] = own;
    if (!first) return [];
    const { subjectId, name, dueAt } = first;
    const priority = own.some(({ kind }) => urgentKinds.has(kind)) ? "urgent" : otherwise;
    const job = {
      kind: taskJobKind,
      id,
      data: {
        ...{ subjectId, name, dueAt: dueAt.toISOString() },
        ...(areAlone && { only: own.map((task) => task.name).join(" ") }),
      },
      delayMs: delayMs(dueAt),
    };
    return [{ ...job, ...(priority && { priority }) }];
  });
}

/** Visits for a job of the queue, or without one. */
export const taskHandler =
  ({ visit }: Visits) =>
  (data: JobToAdd["data"], job?: RunningJob): Promise<void> => {
    const { subjectId, name, ...together } = jobData.parse(data);
    return visit(subjectId, name, job, together);
  };
