import type { Meter } from "./meter.ts";

/** For operations that take milliseconds. */
export const briefBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** For external calls. */
export const slowBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

const sizeBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Metrics of any event-sourced service. Durations are in seconds. */
export function platformFamilies(meter: Meter) {
  return {
    appendSeconds: meter.histogram(
      "append_seconds",
      "Appends to the log, from request to outcome: written, conflict, busy, unknown, failed.",
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
      "Appends written by one transaction.",
      [],
      sizeBuckets,
    ),
    appendBatchSeconds: meter.histogram(
      "append_batch_seconds",
      "Duration of one transaction of appends.",
      [],
      briefBuckets,
    ),
    eventsAppended: meter.counter("events_appended_total", "Events appended by this process.", ["type"]),
    followerBehindSeconds: meter.gauge(
      "follower_behind_seconds",
      "Age of the oldest event not yet processed by a follower; 0 when there is none.",
      ["follower", "version"],
    ),
    followerUp: meter.gauge(
      "follower_up",
      "1 while some process holds the follower's lease, else 0; a moment between two holders is normal.",
      ["follower", "version"],
    ),
    followerStopped: meter.gauge(
      "follower_stopped",
      "1 when the follower has stopped at an event it cannot process and needs attention.",
      ["follower", "version"],
    ),
    streamsParked: meter.gauge(
      "streams_parked",
      "Streams parked by a follower: they wait for a fix while it continues with the others.",
      ["follower", "version"],
    ),
    followerFence: meter.gauge(
      "follower_fence",
      "Increases by one whenever the follower's lease is taken: frequent growth means that holders die.",
      ["follower", "version"],
    ),
    followerApart: meter.gauge(
      "follower_apart",
      "1 while the follower has a checkpoint of its own, 0 while it shares that of its subscription.",
      ["follower", "version"],
    ),
    followerBatchSeconds: meter.histogram(
      "follower_batch_seconds",
      "Duration of a follower's work on one batch of events in this process.",
      ["follower"],
      briefBuckets,
    ),
    followerEvents: meter.counter(
      "follower_events_total",
      "Events processed by a follower in this process.",
      ["follower"],
    ),
    jobSeconds: meter.histogram(
      "job_seconds",
      "Jobs that ended in this process: done, or failed.",
      ["outcome"],
      slowBuckets,
    ),
    jobsAdded: meter.counter("jobs_added_total", "Jobs added to the queue.", []),
    jobs: meter.gauge("jobs", "Jobs in the queue: waiting, active.", ["state"]),
    oldestJobSeconds: meter.gauge("oldest_job_seconds", "Age of the oldest waiting job.", []),
    keyRingSeconds: meter.histogram(
      "key_ring_seconds",
      "Operations on the key folder: take, read, zero, probe; done or failed.",
      ["operation", "outcome"],
      briefBuckets,
    ),
    databaseConnections: meter.gauge(
      "database_connections",
      "The pool of this process: busy and idle connections, and callers that wait for one.",
      ["state"],
    ),
    redisAway: meter.gauge(
      "redis_away",
      "1 while Redis does not answer; absent when none is configured.",
      [],
    ),
    auditAlarm: meter.gauge("audit_alarm", "1 when the log was changed after it was signed.", []),
    transparencyBehindSeconds: meter.gauge(
      "transparency_behind_seconds",
      "For how long the transparency log's tree has not been what its newest checkpoint says; 0 while it is.",
      [],
    ),
    transparencyBelowQuorumSeconds: meter.gauge(
      "transparency_below_quorum_seconds",
      "For how long fewer witnesses than WITNESS_QUORUM have signed the newest checkpoints; 0 while enough have.",
      [],
    ),
    build: meter.gauge("build_info", "Always 1: which version runs on which runtime.", ["version", "node"]),
  };
}

export type PlatformFamilies = ReturnType<typeof platformFamilies>;
