import type { ErrorRequestHandler, Request, RequestHandler } from "express";
import { Refused } from "../../../domain/decider.ts";
import { poundsOf } from "../../../domain/pricing/money.ts";
import type { SettingsRule } from "../../../domain/settings/decide.ts";
import { StreamContended } from "../../../infra/commands/command-handler.ts";
import { CommandReused } from "../../../infra/commands/repeats.ts";
import { OutcomeUnknown, StoreBusy, WrongExpectedRevision } from "../../../infra/event-store/event-store.ts";
import { StreamUnreadable } from "../../../infra/event-store/stream-unreadable.ts";
import { isTransientError } from "../../../infra/following/transient-fault.ts";
import { faultOf, type Log } from "../../../infra/process/log.ts";
import {
  isStorageError,
  type StorageWatch,
  trustedStorage,
} from "../../../infra/telemetry/storage/storage-watch.ts";
import { IdentityUnavailable } from "../../identity/identity-provider.ts";
import {
  PaymentMismatch,
  PaymentNotReceived,
  PaymentProcessing,
} from "../../orders/payments/provider-reports.ts";
import { PersonalDataDestroyed } from "../../orders/staff/reveal-personal-data.ts";
import { NoticeRefused } from "../../providers/gro/automation.ts";
import { PaymentsRefused, PaymentsUnavailable, WebhookRefused } from "../../providers/stripe/payments.ts";
import { RecordNewer, VaultBusy } from "../../vault/vault.ts";
import { requestIdOf } from "../request-log.ts";
import type { Route } from "../route.ts";
import { keyReused, malformed, notFound, Problem } from "./problem.ts";

/** The one place where an error becomes an answer. An unlisted error is a fault of ours: 500. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return (
    refusalProblem(error) ??
    providerProblem(error) ??
    storeProblem(error) ??
    transportProblem(error) ??
    new Problem("internal-error", "Something went wrong on our end.", { cause: error })
  );
}

function refusalProblem(error: unknown): Problem | undefined {
  if (error instanceof CommandReused) return keyReused();
  if (error instanceof PersonalDataDestroyed) {
    return new Problem("personal-data-destroyed", "This data has been destroyed.", {
      members: { dataClass: error.dataClass },
    });
  }
  if (!(error instanceof Refused)) return undefined;
  const { phase, rule, details } = error;
  switch (error.code) {
    case "unknown-order":
    case "unknown-ticket":
    case "unknown-draft":
    case "unknown-checkout":
      return notFound();
    case "forbidden-in-phase":
      return new Problem(
        "forbidden-in-phase",
        isLimit(rule)
          ? oftenEnough
          : "This is not possible at the moment. Reload the page to see the latest.",
        { members: { phase, rule } },
      );
    case "changed-meanwhile":
      return new Problem("changed-meanwhile", "This has changed since you opened it: please reload.", {
        members: { revision: details.revision },
      });
    case "setting-refused":
      return new Problem("setting-refused", settingRuleWords(rule), {
        members: { rule, details },
      });
    case "wrong-amount":
      return wrongAmountProblem(error);
    case "impossible-quote":
      return new Problem("impossible-quote", "That total matches no available option.", {
        members: {
          unitPrices: inPounds({ standard: details.standardPence, priority: details.priorityPence }),
          errors: { totalAmount: "That total matches no available option." },
        },
      });
    default:
      return error.code satisfies never;
  }
}

/** The rules of limits, of orders and tickets alike. */
const isLimit = (rule: string): boolean => rule.startsWith("too-many-");

const oftenEnough = "You have reached the limit for this: please contact us.";

function wrongAmountProblem({ phase, rule, details }: Refused): Problem {
  const needsNewOrder = rule === "quoted-otherwise";
  const title = needsNewOrder
    ? "The price has changed since this order was placed: please place a new order."
    : "The amount does not match the order's total.";
  return new Problem("wrong-amount", title, {
    members: { phase, rule, needsNewOrder, ...inPounds({ totalAmount: details.totalPence }) },
  });
}

const inPounds = (pence: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(pence).flatMap(([name, value]) =>
      typeof value === "number" ? [[name, poundsOf(value)]] : [],
    ),
  );

function providerProblem(error: unknown): Problem | undefined {
  if (error instanceof PaymentNotReceived || error instanceof PaymentMismatch) {
    const members = error instanceof PaymentNotReceived ? { phase: error.phase, rule: "not-paid" } : {};
    return new Problem("payment-not-received", "The payment has not been received.", { members });
  }
  if (error instanceof PaymentProcessing) {
    return new Problem("payment-processing", "The payment is still being processed: please try again soon.", {
      headers: { "Retry-After": "5" },
    });
  }
  if (error instanceof PaymentsUnavailable || error instanceof PaymentsRefused) {
    return new Problem("payments-unavailable", "The payment provider cannot be reached.", {
      headers: { "Retry-After": "5" },
      cause: error,
    });
  }
  if (error instanceof IdentityUnavailable) {
    return new Problem("identity-unavailable", "We cannot reach the sign-in service: please try again.", {
      headers: { "Retry-After": "5" },
      cause: error,
    });
  }
  if (error instanceof WebhookRefused || error instanceof NoticeRefused) {
    return new Problem("signature-refused", "The signature is invalid or too old.");
  }
  return undefined;
}

// Nothing was written, or a second read finds what was: the same request is safe to send again.
const busyErrors = [StoreBusy, OutcomeUnknown, WrongExpectedRevision, StreamContended, VaultBusy];

function storeProblem(error: unknown): Problem | undefined {
  if (error instanceof StreamUnreadable || error instanceof RecordNewer) {
    const title =
      "We cannot read our record of this at the moment. Nothing is lost: please try again later, or contact us.";
    return new Problem("record-unreadable", title, { cause: error });
  }
  const isBusy = busyErrors.some((kind) => error instanceof kind);
  if (isTransientError(error) || (isBusy && error instanceof Error && isTransientError(error.cause))) {
    return new Problem("unavailable", "We cannot reach our records at the moment: please try again.", {
      headers: { "Retry-After": "5" },
      cause: error,
    });
  }
  if (!isBusy) return undefined;
  return new Problem("busy", "The system is busy: please try again.", {
    headers: { "Retry-After": "1" },
    cause: error,
  });
}

// Errors of Express and its parsers carry `status` and `type`.
function transportProblem(error: unknown): Problem | undefined {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return undefined;
  const { status } = error;
  if (status === 413) return new Problem("body-too-large", "The body is too large.");
  if (status === 415) return new Problem("unsupported-media-type", "The body's encoding is not supported.");
  return status >= 400 && status < 500 ? malformed("The request cannot be read.", error) : undefined;
}

const words: Readonly<Record<SettingsRule, string>> = {
  "not-before-tomorrow":
    "New prices must start tomorrow or later: the prices that customers see today do not change.",
  "not-scheduled": "These prices are already in force, or have been withdrawn.",
  "not-above-gro-fees": "A price must be above what the General Register Office charges us.",
  "retention-too-short": "Contact data must be kept for at least 30 days.",
  "retention-too-long": "This setting can only shorten the period set in the environment.",
  "law-demands":
    "By law customers must be told the company’s registered name, number and place of registration, a full postal address with its postcode, and an email address that receives mail.",
  "own-role": "You cannot change your own role: ask another manager.",
  "staff-only": "Only staff can change settings.",
};

const settingRuleWords = (rule: string): string =>
  Object.entries(words).find(([name]) => name === rule)?.[1] ??
  "The rules for this setting do not allow that.";

/**
 * Turns what a route throws into Problem Details (RFC 9457). Our own faults are logged by name and place, never by
 * content; storage faults go to the storage watch, which logs each once.
 */
export function answerErrors(
  log: Log,
  storage: Pick<StorageWatch, "suspect"> = trustedStorage,
): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return async (error: unknown, request, response, _next) => {
    const problem = problemOf(error);
    const requestId = requestIdOf(response);
    if (isStorageError(problem.cause)) storage.suspect(problem.cause);
    else if (problem.status >= 500)
      log.error({ requestId, code: problem.code, fault: faultOf(problem.cause ?? problem) }, "fault");
    // The alarm was raised when the stream was parked.
    if (problem.code === "record-unreadable")
      log.warn({ requestId, code: problem.code, fault: faultOf(problem.cause) }, "a record cannot be read");
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (!response.shouldKeepAlive && problem.headers.Connection === undefined) await restOf(request);
    response
      .status(problem.status)
      .set({ ...problem.headers, "Cache-Control": "no-store" })
      .type("application/problem+json")
      .send(
        JSON.stringify({
          ...problem.members,
          type: "about:blank",
          title: problem.message,
          status: problem.status,
          code: problem.code,
          requestId,
        }),
      );
  };
}

/**
 * Drops what a client is still sending. Through a proxy that uses a connection once, as HAProxy may, four of ten answers
 * to a body of 13 MB were lost: the connection was closed while bytes came, and broke.
 */
async function restOf(request: Request): Promise<void> {
  if (request.complete || request.destroyed) return;
  request.resume();
  await new Promise((resolve) => request.once("end", resolve).once("close", resolve));
}

/** Answers requests that match no route: 405 if the path has another method, else 404. */
export function noSuchRoute(routes: readonly Route[]): RequestHandler {
  const known = routes.map(({ request: { method, path } }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}/?$`),
  }));
  return (request, _response, next) => {
    const allowed = known
      .filter(({ pattern }) => pattern.test(request.baseUrl + request.path))
      .map(({ method }) => method);
    if (allowed.length === 0) return next(notFound());
    next(
      new Problem("method-not-allowed", "This address does not support that method.", {
        headers: { Allow: [...new Set(allowed)].join(", ") },
      }),
    );
  };
}
