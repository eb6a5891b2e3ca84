import type { Meter } from "../../infra/telemetry/metrics/meter.ts";
import { briefBuckets, slowBuckets } from "../../infra/telemetry/metrics/platform-families.ts";

/** Around the promise of 180 s and its alarm at 120 s. */
const purgeBuckets = [1, 2, 5, 10, 20, 30, 60, 90, 120, 150, 180, 300, 600, 3600];

/** The metrics of this service. Durations are in seconds. */
export function serviceFamilies(meter: Meter) {
  return {
    requestSeconds: meter.histogram(
      "http_request_seconds",
      "Answered requests by route pattern. A rate-limited request is a 429; event streams are counted separately.",
      ["method", "route", "status"],
      briefBuckets,
    ),
    requestsInFlight: meter.gauge("http_requests_in_flight", "Requests in progress, streams included.", []),
    refusedByLimit: meter.counter("http_refused_by_limit_total", "Rate-limited requests.", ["route"]),
    streamsEnded: meter.counter("http_streams_ended_total", "Event streams that ended.", ["route"]),
    providerSeconds: meter.histogram(
      "provider_call_seconds",
      "Calls to providers: done, refused, or unavailable (no answer, or outcome unknown).",
      ["provider", "operation", "outcome"],
      slowBuckets,
    ),
    providerDown: meter.gauge(
      "provider_down",
      "1 while a provider's circuit is open, or its last three calls failed.",
      ["provider"],
    ),
    notices: meter.counter(
      "provider_notices_total",
      "Notices from providers, accepted or refused for their signature.",
      ["provider", "outcome"],
    ),
    taskSeconds: meter.histogram(
      "task_seconds",
      "Attempts at tasks of orders and tickets: done, later (an outside service does not know yet), refused, failed.",
      ["kind", "outcome"],
      slowBuckets,
    ),
    tasksOverdue: meter.gauge("tasks_overdue", "Overdue tasks, by kind.", ["kind"]),
    oldestTaskSeconds: meter.gauge("oldest_task_seconds", "Age of the longest overdue task of a kind.", [
      "kind",
    ]),
    takenLate: meter.counter(
      "work_taken_late_total",
      "Orders, tickets and drafts that were due and free for more than 5 s before a worker took them.",
      [],
    ),
    purgeSeconds: meter.histogram(
      "purge_seconds",
      "From submission to the GRO to the purge of the application. The promise is 180.",
      [],
      purgeBuckets,
    ),
    purgesFailed: meter.counter("purges_failed_total", "Purges that were due and failed.", ["code"]),
    purgesLate: meter.gauge(
      "purges_late",
      "Applications overdue for purging: anything but 0 raises an alarm.",
      [],
    ),
    mailsIn: meter.counter("mails_in_total", "Mails that came in: taken, or why they were refused.", [
      "outcome",
    ]),
    lastMailIn: meter.gauge(
      "last_mail_in_timestamp_seconds",
      "When this process last took a mail that came in.",
      [],
    ),
    mailboxAway: meter.gauge("mailbox_away", "1 while the mailbox of mail that comes in cannot be read.", []),
    mailsUndeliverable: meter.counter("mails_undeliverable_total", "Undeliverable mails.", ["template"]),
    mailsReturned: meter.counter("mails_returned_total", "Mails that came back, by kind.", ["kind"]),
  };
}

export type ServiceFamilies = ReturnType<typeof serviceFamilies>;
