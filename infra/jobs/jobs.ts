/** State of the queue. `oldestWaiting` is when the longest-waiting job was added. */
export type JobsStanding = {
  readonly waiting: number;
  readonly active: number;
  readonly oldestWaiting: Date | undefined;
};

/**
 * The port of the job queue: it wakes workers in other processes. A job is an id and says nothing but "look". What is owed
 * is derived from the log, so a lost or doubled job changes nothing.
 */
export interface Jobs {
  /** @param id without a colon; adding one that waits already changes nothing */
  add(id: string): Promise<void>;
  /**
   * Has this process look once for each job, one after the other. A failure is logged, and the job forgotten.
   * @returns stops it, after a running job
   */
  work(look: () => Promise<void>): Promise<() => Promise<void>>;
  standing(): Promise<JobsStanding>;
  /** Removes everything, as losing the queue's server would. */
  wipe(): Promise<void>;
  close(): Promise<void>;
}
