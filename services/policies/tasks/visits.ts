import { nameOfError } from "../../../infra/following/follower-faults.ts";
import type { RunningJob } from "../../../infra/jobs/jobs.ts";
import { type Named, type Performer, type PerformTaskDependencies, TaskFailed } from "../perform-task.ts";
import { type AnyTask, type Subject, subjectSeen } from "../subject.ts";
import { LeftToQueue } from "./left-to-queue.ts";
import { isEarly, isLate, type Performable, performable } from "./performable.ts";

/** A task without a job that is not done this long after it was due is kept from the sweeps of other processes. */
const slowAfterMs = 1_500;
/** Delay before a task that could not be kept from the sweeps is tried again. */
const holdAgainMs = 2_000;
/** For how long it is kept, as the queue keeps a job: a crash delays the task by as much, and until the next sweep. */
const heldForMs = 15_000;
/** How often that begins anew while it is being performed. */
const holdEveryMs = 5_000;

/** Which tasks a visit is for, beside the named one. */
export type Together = {
  /** Those due then, by which they are known when a repeated visit finds the named one done. */
  readonly dueAt?: string | undefined;
  /** These alone, of those due then: the others may be under way elsewhere. */
  readonly only?: ReadonlySet<string> | undefined;
};

/** Visits of orders and tickets that have work. */
export type Visits = {
  /**
   * Performs the named task, those due at the same time, and those that follow from them if this process follows the
   * log; otherwise the process that does makes jobs of them. All others have jobs of their own, perhaps elsewhere.
   * While a visit of the subject is under way in this process, leaves the named task to it; a job ends with its task.
   * @param job if the queue has one for it
   * @throws TaskFailed when a task must be retried
   */
  readonly visit: (subjectId: string, name: string, job?: VisitJob, together?: Together) => Promise<void>;
  /**
   * Leaves a task to the visit under way in this process, which has seen the event that made it due, or to the job that
   * a visit has just made of it. False if there is neither.
   */
  readonly leave: (subjectId: string, name: string) => boolean;
};

/**
 * A job keeps its tasks from other workers while the queue holds it; a visit that has none must do so itself. Neither
 * begins a task that another worker may have by now.
 */
type VisitJob = Pick<RunningJob, "isHeld">;

type VisitsParts = PerformTaskDependencies & {
  readonly performer: Performer;
  /** Whether this process derives tasks from new events. */
  readonly isFollowing: () => boolean;
  /** Makes a job of a task that failed, or was late, during the visit for another one. */
  readonly retry: (subjectId: string, task: AnyTask) => Promise<void>;
};

export function createVisits(parts: VisitsParts): Visits {
  const { now } = parts;
  const underWay = new Map<string, Visit>();
  const leftToQueue = new LeftToQueue();
  const leave = (subjectId: string, name: string, has: "seen" | "not seen") =>
    underWay.get(subjectId)?.takeOn(name, has) ?? false;
  return {
    leave: (subjectId, name) =>
      leftToQueue.has(subjectId, name, now().getTime()) || leave(subjectId, name, "seen"),
    visit: async (subjectId, name, job, together = {}) => {
      const joined = job && underWay.get(subjectId)?.takeOnJob(name, job);
      if (joined) return joined;
      if (leave(subjectId, name, "not seen")) return;
      const visit = new Visit(parts, { subjectId, name, ...together }, job, leftToQueue);
      underWay.set(subjectId, visit);
      try {
        await visit.run();
      } finally {
        if (underWay.get(subjectId) === visit) underWay.delete(subjectId);
      }
    },
  };
}

/** One visit: a slow task holds up no other, and each is tried once. */
class Visit {
  readonly #parts: VisitsParts;
  readonly #named: Named & Together;
  readonly #job: VisitJob | undefined;
  readonly #leftToQueue: LeftToQueue;
  /** For which the visit was made. */
  #own: ReadonlySet<string> = new Set();
  /** With jobs of their own, by name, and when they fall due: the job of one does all that is due with it. */
  #others: ReadonlyMap<string, string> = new Map();
  #hasBegun = false;
  readonly #tried = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #failures: TaskFailed[] = [];
  readonly #takenOn = new Set<string>();
  /** Jobs that came during the visit, by the task's name. */
  readonly #jobs = new Map<string, VisitJob & { readonly end: PromiseWithResolvers<void> }>();
  #mustRefresh = false;
  /** Perhaps for events that this process has not seen. */
  #mustRead = false;
  #asked = Promise.withResolvers<void>();
  #isOver = false;
  /** When the last reading of the subject from the log began. */
  #readAtMs = 0;

  constructor(
    parts: VisitsParts,
    named: Named & Together,
    job: VisitJob | undefined,
    leftToQueue: LeftToQueue,
  ) {
    this.#parts = parts;
    this.#named = named;
    this.#job = job;
    this.#leftToQueue = leftToQueue;
  }

  /** False if the visit is over, or ends without this task. */
  takeOn(name: string, has: "seen" | "not seen"): boolean {
    if (this.#isOver) return this.#running.has(name);
    if (this.#tried.has(name)) return true;
    this.#takenOn.add(name);
    this.#mustRefresh = true;
    if (has === "not seen") this.#mustRead = true;
    this.#asked.resolve();
    return true;
  }

  /** @returns a promise that ends with the task of the job, or undefined if the visit is over, or ends without it */
  takeOnJob(name: string, { isHeld }: VisitJob): Promise<void> | undefined {
    if (this.#isOver) return this.#running.get(name);
    const end = this.#jobs.get(name)?.end ?? Promise.withResolvers<void>();
    this.#jobs.set(name, { isHeld, end });
    if (!this.#running.has(name)) this.#tried.delete(name);
    this.takeOn(name, "not seen");
    return end.promise;
  }

  async run(): Promise<void> {
    try {
      let subject = await this.#begin();
      while (subject) {
        this.#start(subject);
        if (this.#running.size === 0 && !this.#mustRefresh) break;
        await Promise.race([...this.#running.values(), this.#asked.promise]);
        subject = await this.#refresh(subject);
      }
    } finally {
      this.#isOver = true;
      await Promise.all(this.#running.values());
      for (const { end } of this.#jobs.values()) end.reject(new TaskFailed("visit ended"));
    }
    const [first] = this.#failures;
    if (first) throw first;
  }

  /** Settles the named task if another worker was faster, or if the list named it too early. */
  async #begin(): Promise<Subject | undefined> {
    const { list, now } = this.#parts;
    const { subjectId, name } = this.#named;
    const subject = await this.#read();
    if (!subject) return undefined;
    const at = now();
    const tasks = performable(this.#parts, subject, at);
    const named = tasks.find(({ owed }) => owed.name === name)?.owed;
    if (!named) await list.settle(subjectId, name);
    else if (isEarly(named, at)) await list.awaitDue(subjectId, name, new Date(named.dueAt));
    const { only } = this.#named;
    const dueAt = named?.dueAt ?? this.#named.dueAt;
    const { own = [], others = [] } = Object.groupBy(
      tasks.map((task) => task.owed),
      (task) => ((only ? only.has(task.name) : task.dueAt === dueAt) ? "own" : "others"),
    );
    this.#own = new Set(own.map((task) => task.name));
    this.#others = new Map(others.map((task) => [task.name, task.dueAt]));
    return subject;
  }

  /** The subject with what this process has seen of it since; the whole stream if that may not be all. */
  async #refresh(subject: Subject): Promise<Subject | undefined> {
    const { deps } = this.#parts;
    const whole = () => this.#read();
    // A ticket's tasks may follow from its order, which is not read again.
    const mustRead = this.#mustRead || (this.#mustRefresh && subject.kind === "ticket");
    if (this.#mustRefresh) this.#asked = Promise.withResolvers();
    this.#mustRefresh = false;
    this.#mustRead = false;
    // Reading the whole stream says what is wrong.
    return mustRead ? whole() : subjectSeen(deps, subject).catch(whole);
  }

  #read(): Promise<Subject | undefined> {
    this.#readAtMs = this.#parts.now().getTime();
    return this.#parts.performer.read(this.#named);
  }

  #start(subject: Subject): void {
    const at = this.#parts.now();
    const tasks = performable(this.#parts, subject, at);
    // A replaced application is purged under the same name again.
    for (const name of this.#tried)
      if (!tasks.some(({ owed }) => owed.name === name)) this.#tried.delete(name);
    for (const task of tasks) {
      const { name } = task.owed;
      if (this.#tried.has(name) || isEarly(task.owed, at) || !this.#mayStart(task.owed)) continue;
      this.#tried.add(name);
      this.#running.set(name, this.#perform(subject, task));
    }
    this.#hasBegun = true;
    if (this.#mustRefresh) return;
    for (const [name, job] of this.#jobs) {
      if (this.#running.has(name)) continue;
      this.#jobs.delete(name);
      job.end.resolve();
    }
  }

  #mayStart({ name, dueAt }: AnyTask): boolean {
    if (this.#takenOn.has(name)) return true;
    if (!this.#hasBegun) return this.#own.has(name);
    const isOfAnotherJob = [...this.#others].some(
      ([other, otherDueAt]) => other === name || (otherDueAt === dueAt && !this.#takenOn.has(other)),
    );
    return !isOfAnotherJob && this.#parts.isFollowing();
  }

  async #perform(subject: Subject, task: Performable): Promise<void> {
    const { performer, now, retry } = this.#parts;
    const { owed } = task;
    const isOwn = this.#own.has(owed.name);
    // The queue takes no second job for a task while it holds one.
    const job = () => this.#jobs.get(owed.name) ?? (isOwn ? this.#job : undefined);
    const isPurge = owed.kind === "purge";
    const letGo = isPurge || job() ? () => undefined : this.#keep(owed);
    // A purge may not be delayed.
    const mayBegin = async () => isPurge || !isLate(owed, now()) || ((await job()?.isHeld()) ?? false);
    let failure: unknown;
    try {
      await performer.performFound({ subject, readAtMs: this.#readAtMs }, task, mayBegin);
    } catch (error) {
      failure = error;
      if (!(error instanceof TaskFailed)) throw error;
      if (!isPurge) this.#leftToQueue.add(this.#named.subjectId, owed.name, now().getTime());
      if (isOwn) this.#failures.push(error);
      else if (!this.#jobs.has(owed.name)) await retry(this.#named.subjectId, owed);
    } finally {
      letGo();
      this.#running.delete(owed.name);
      this.#endJob(owed.name, failure);
    }
  }

  #endJob(name: string, failure: unknown): void {
    const job = this.#jobs.get(name);
    this.#jobs.delete(name);
    if (failure === undefined) job?.end.resolve();
    else job?.end.reject(failure);
  }

  /** Keeps a task from the sweeps of other processes once it is slow. @returns what ends this */
  #keep({ name, dueAt }: AnyTask): () => void {
    const { list, now, log } = this.#parts;
    let isOver = false;
    let heldUntil: Date | undefined;
    const hold = async () => {
      const at = now();
      const until = new Date(at.getTime() + heldForMs);
      const isHeld = await list
        .hold(this.#named.subjectId, name, { now: at, until, heldUntil })
        .catch((error: unknown) => {
          log.warn(
            { code: nameOfError(error), task: name },
            "a slow task could not be kept from other workers",
          );
          return false;
        });
      if (isHeld) heldUntil = until;
      // If it is not held, perhaps it is not listed yet.
      if (!isOver) timer = setTimeout(() => void hold(), isHeld ? holdEveryMs : holdAgainMs);
    };
    const inMs = Date.parse(dueAt) + slowAfterMs - now().getTime();
    let timer = setTimeout(() => void hold(), Math.max(0, inMs));
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }
}
