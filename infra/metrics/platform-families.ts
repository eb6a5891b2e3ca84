import type { Meter } from "./meter.ts";

/** For what takes milliseconds. */
export const briefBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** For what leaves the house. */
export const slowBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

const sizeBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** What any event-sourced service counts. Durations are in seconds. */
export function platformFamilies(meter: Meter) {
  return {
    appendSeconds: meter.histogram(
      "append_seconds",
      "Appends to the log, from being handed in to their outcome: written, conflict, busy, unknown, failed.",
      ["outcome"],
      briefBuckets,
    ),
    appendsInFlight: meter.gauge(
      "appends_in_flight",
      "Appends that wait for their turn or their answer.",
      [],
    ),
    appendBatchSize: meter.histogram(
      "append_batch_size",
      "Appends that one transaction wrote.",
      [],
      sizeBuckets,
    ),
    appendBatchSeconds: meter.histogram(
      "append_batch_seconds",
      "How long one transaction of appends took.",
      [],
      briefBuckets,
    ),
    eventsAppended: meter.counter("events_appended_total", "Events that this process appended.", ["type"]),
    followerBehindSeconds: meter.gauge(
      "follower_behind_seconds",
      "Age of the oldest event that a follower has not worked on; 0 when there is none.",
      ["follower", "version"],
    ),
    followerUp: meter.gauge(
      "follower_up",
      "1 while some process holds the follower's lease, else 0; a moment between two holders is normal.",
      ["follower", "version"],
    ),
    followerStopped: meter.gauge(
      "follower_stopped",
      "1 when the follower met what it cannot work on and needs mending.",
      ["follower", "version"],
    ),
    streamsParked: meter.gauge(
      "streams_parked",
      "Streams that a follower cannot go on with: they wait until they are put right, and it goes on with the others.",
      ["follower", "version"],
    ),
    followerFence: meter.gauge(
      "follower_fence",
      "Grows by one whenever the follower's lease is taken: often means that holders die.",
      ["follower", "version"],
    ),
    followerBatchSeconds: meter.histogram(
      "follower_batch_seconds",
      "How long a follower's work on one batch of events took in this process.",
      ["follower"],
      briefBuckets,
    ),
    followerEvents: meter.counter(
      "follower_events_total",
      "Events that a follower worked on in this process.",
      ["follower"],
    ),
    jobSeconds: meter.histogram(
      "job_seconds",
      "Jobs that ended in this process: done, or failed, which the queue tries again.",
      ["kind", "outcome"],
      slowBuckets,
    ),
    jobRetries: meter.counter("job_retries_total", "Jobs that were begun for at least the second time.", [
      "kind",
    ]),
    jobsAdded: meter.counter("jobs_added_total", "Jobs that were handed to the queue.", ["kind"]),
    jobs: meter.gauge("jobs", "Jobs in the queue: waiting, delayed, active.", ["state"]),
    oldestJobSeconds: meter.gauge("oldest_job_seconds", "How long the oldest waiting job has waited.", []),
    keyRingSeconds: meter.histogram(
      "key_ring_seconds",
      "Operations on the folder of keys: take, read, zero, probe; done or failed.",
      ["operation", "outcome"],
      briefBuckets,
    ),
    databaseConnections: meter.gauge(
      "database_connections",
      "The pool of this process: busy and idle connections, and callers that wait for one.",
      ["state"],
    ),
    redisAway: meter.gauge("redis_away", "1 while Redis does not answer; absent where none is used.", []),
    auditVerifiedSeconds: meter.gauge(
      "audit_behind_seconds",
      "Age of the newest signed checkpoint of the log, where events came after it; 0 where none did.",
      [],
    ),
    auditAlarm: meter.gauge("audit_alarm", "1 when the log is not what was written and signed.", []),
    build: meter.gauge("build_info", "Always 1: which version runs on which runtime.", ["version", "node"]),
  };
}

export type PlatformFamilies = ReturnType<typeof platformFamilies>;
