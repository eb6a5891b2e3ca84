/** Jobs carry ids, never personal data. `id` (no colon) makes adding the same job again do nothing while it waits. */
export type JobToAdd = {
  kind: string;
  id: string;
  data: Readonly<Record<string, string | number>>;
  delayMs?: number;
  /** `urgent` goes before all that waits and is not, `background` behind it. One that waits already keeps its place. */
  priority?: "urgent" | "background";
};

export type JobHandler = (
  data: Readonly<Record<string, string | number>>,
  job: { id: string; triesBefore: number },
) => Promise<void>;

/** What is in the queue. `oldestWaiting` is when the job was added that has waited longest; one that is delayed does not wait yet. */
export type JobsStanding = {
  readonly waiting: number;
  readonly delayed: number;
  readonly active: number;
  readonly oldestWaiting: Date | undefined;
};

/**
 * The port of the job queue. Jobs are hints: what is owed can be derived from the log, so the queue forgets a job as soon
 * as it ended, well or badly, and may be wiped at any time.
 */
export interface Jobs {
  add(jobs: readonly JobToAdd[]): Promise<void>;
  /**
   * Starts working; a handler that throws is tried again some times with growing delays.
   * @returns stops it, after what is in hand
   */
  work(
    handlers: Readonly<Record<string, JobHandler>>,
    options: { concurrency: number },
  ): Promise<() => Promise<void>>;
  standing(): Promise<JobsStanding>;
  /** How many jobs wait, are delayed or run. */
  pending(): Promise<number>;
  /** Throws everything away, as losing the queue's server would. */
  wipe(): Promise<void>;
  close(): Promise<void>;
}
