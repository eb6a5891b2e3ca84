import type { Meter } from "../../infra/metrics/meter.ts";
import { briefBuckets, slowBuckets } from "../../infra/metrics/platform-families.ts";

/** Around the promise of 180 s and its alarm at 120 s. */
const purgeBuckets = [1, 2, 5, 10, 20, 30, 60, 90, 120, 150, 180, 300, 600, 3600];

/** What this service counts. Durations are in seconds. */
export function serviceFamilies(meter: Meter) {
  return {
    requestSeconds: meter.histogram(
      "http_request_seconds",
      "Requests that were answered, by the route's pattern. A refusal by a limit is a 429; streams of events are counted apart.",
      ["method", "route", "status"],
      briefBuckets,
    ),
    requestsInFlight: meter.gauge(
      "http_requests_in_flight",
      "Requests that wait for their answer, streams included.",
      [],
    ),
    refusedByLimit: meter.counter("http_refused_by_limit_total", "Requests that a limit turned away.", [
      "route",
    ]),
    streamsEnded: meter.counter("http_streams_ended_total", "Streams of events that ended.", ["route"]),
    providerSeconds: meter.histogram(
      "provider_call_seconds",
      "Calls to providers: done, refused (it said no), unavailable (nothing is known, or nobody answered).",
      ["provider", "operation", "outcome"],
      slowBuckets,
    ),
    providerDown: meter.gauge(
      "provider_down",
      "1 while a provider's circuit is open, or its last three calls found nobody.",
      ["provider"],
    ),
    notices: meter.counter(
      "provider_notices_total",
      "What providers told us, taken or refused for its signature.",
      ["provider", "outcome"],
    ),
    dutySeconds: meter.histogram(
      "duty_seconds",
      "What is owed to orders and tickets, each time it was tried: done, later (somebody outside does not know yet), refused, failed.",
      ["kind", "outcome"],
      slowBuckets,
    ),
    dutiesOverdue: meter.gauge("duties_overdue", "Duties that are due and not done, by kind.", ["kind"]),
    oldestDutySeconds: meter.gauge(
      "oldest_duty_seconds",
      "How long the duty of a kind has been due that is longest due.",
      ["kind"],
    ),
    purgeSeconds: meter.histogram(
      "purge_seconds",
      "From submission to the GRO to the destruction of the application. The promise is 180.",
      [],
      purgeBuckets,
    ),
    purgesFailed: meter.counter("purges_failed_total", "Destructions that were tried when due, and failed.", [
      "code",
    ]),
    purgesLate: meter.gauge(
      "purges_late",
      "Applications that should have been destroyed by now: anything but 0 is an alarm.",
      [],
    ),
    mailsUndeliverable: meter.counter("mails_undeliverable_total", "Mails whose address takes none.", [
      "template",
    ]),
  };
}

export type ServiceFamilies = ReturnType<typeof serviceFamilies>;
