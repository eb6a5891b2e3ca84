/** Jobs carry ids, never personal data. `id` (no colon) makes adding the same job again a no-op while it waits. */
export type JobToAdd = {
  kind: string;
  id: string;
  data: Readonly<Record<string, string | number>>;
  delayMs?: number;
  /** `urgent` runs before all other waiting jobs, `background` after them. A job already waiting keeps its place. */
  priority?: "urgent" | "background";
};

export type RunningJob = {
  readonly id: string;
  readonly triesBefore: number;
  /** False if the queue may have given the job to another worker, as after a pause or an outage, or does not answer. */
  readonly isHeld: () => Promise<boolean>;
};

export type JobHandler = (data: Readonly<Record<string, string | number>>, job: RunningJob) => Promise<void>;

/** State of the queue. `oldestWaiting` is when the longest-waiting job was added; delayed jobs do not count. */
export type JobsStanding = {
  readonly waiting: number;
  readonly delayed: number;
  readonly active: number;
  readonly oldestWaiting: Date | undefined;
};

/**
 * The port of the job queue. Jobs are hints: what is owed is derived from the log, so the queue forgets a job once it
 * ends, successfully or not, and may be wiped at any time.
 */
export interface Jobs {
  add(jobs: readonly JobToAdd[]): Promise<void>;
  /**
   * Starts working; a handler that throws is retried several times with growing delays.
   * @returns stops it, after running jobs
   */
  work(
    handlers: Readonly<Record<string, JobHandler>>,
    options: { concurrency: number },
  ): Promise<() => Promise<void>>;
  standing(): Promise<JobsStanding>;
  /** Number of waiting, delayed and running jobs. */
  pending(): Promise<number>;
  /** Removes everything, as losing the queue's server would. */
  wipe(): Promise<void>;
  close(): Promise<void>;
}
