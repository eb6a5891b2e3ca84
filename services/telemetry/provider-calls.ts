import { nameOfError } from "../../infra/following/follower-faults.ts";
import type { Log } from "../../infra/process/log.ts";
import type { Tracing } from "../../infra/telemetry/tracing/tracing.ts";
import type { IdentityProvider } from "../identity/identity-provider.ts";
import {
  type Automation,
  NoticeRefused,
  SubmissionRefused,
  SubmissionTooLate,
} from "../providers/gro/automation.ts";
import { type Mailer, MailRefused } from "../providers/smtp/mailer.ts";
import { type Payments, PaymentsRefused, WebhookRefused } from "../providers/stripe/payments.ts";
import type { ServiceFamilies } from "./service-families.ts";

const providers = ["payments", "automation", "mail", "identity"] as const;
type Provider = (typeof providers)[number];

type Outcome = "done" | "refused" | "unavailable";

/** Makes calls to providers, and tracks which do not answer. */
export type ProviderCalls = {
  call<T>(provider: Provider, operation: string, work: () => Promise<T>): Promise<T>;
  /** Reads a provider's notice, passing on the error. */
  notice<T>(provider: Provider, read: () => T): T;
  /**
   * Providers that do not answer, with the time since when, ISO 8601 in UTC. One not called since may be well again.
   */
  down(): ReadonlyMap<Provider, string>;
};

type ProviderCallParts = {
  readonly families: Pick<ServiceFamilies, "providerSeconds" | "providerDown" | "notices">;
  readonly tracing: Tracing;
  readonly log: Pick<Log, "info" | "warn">;
  readonly now: () => Date;
};

/** Consecutive failures before a provider counts as down: single calls may be lost any day. */
const faultsToBeDown = 3;

export function createProviderCalls({ families, tracing, log, now }: ProviderCallParts): ProviderCalls {
  const faults = new Map<Provider, { count: number; since: string }>();
  const isDown = (provider: Provider) => (faults.get(provider)?.count ?? 0) >= faultsToBeDown;
  for (const provider of providers) families.providerDown.set({ provider }, 0);

  function learn(provider: Provider, outcome: Outcome, error: unknown): void {
    if (outcome === "unavailable") {
      const { count, since } = faults.get(provider) ?? { count: 0, since: now().toISOString() };
      // An open circuit has counted already, more precisely.
      const open = codeOf(error) === "circuitOpen";
      faults.set(provider, { count: open ? faultsToBeDown : count + 1, since });
    } else faults.delete(provider);
    families.providerDown.set({ provider }, Number(isDown(provider)));
  }

  return {
    call: (provider, operation, work) =>
      tracing.span({ name: `${provider} ${operation}`, kind: "client" }, async (span) => {
        const startedAt = performance.now();
        const ended = (outcome: Outcome, error?: unknown) => {
          const ms = Math.round(performance.now() - startedAt);
          families.providerSeconds.observe({ provider, operation, outcome }, ms / 1000);
          learn(provider, outcome, error);
          const code = error === undefined ? {} : { code: codeOf(error) };
          span.note({ outcome, ...code });
          const level = outcome === "unavailable" ? "warn" : "info";
          log[level]({ provider, operation, outcome, ms, ...code }, "a provider was called");
        };
        try {
          const answer = await work();
          ended("done");
          return answer;
        } catch (error) {
          ended(isRefusal(error) ? "refused" : "unavailable", error);
          throw error;
        }
      }),
    notice: (provider, read) => {
      try {
        const notice = read();
        families.notices.add({ provider, outcome: "taken" });
        return notice;
      } catch (error) {
        const outcome =
          error instanceof WebhookRefused || error instanceof NoticeRefused ? "refused" : "failed";
        families.notices.add({ provider, outcome });
        throw error;
      }
    },
    down: () =>
      new Map([...faults].flatMap(([provider, { since }]) => (isDown(provider) ? [[provider, since]] : []))),
  };
}

const isRefusal = (error: unknown): boolean =>
  error instanceof PaymentsRefused ||
  error instanceof SubmissionRefused ||
  error instanceof SubmissionTooLate ||
  error instanceof MailRefused;

/** The port's error code, else a class: never the message. */
const codeOf = (error: unknown): string => nameOfError(error) ?? "unknown";

function watchPayments(payments: Payments, { call, notice }: ProviderCalls): Payments {
  return {
    createIntent: (request) => call("payments", "createIntent", () => payments.createIntent(request)),
    retrieveIntent: (id) => call("payments", "retrieveIntent", () => payments.retrieveIntent(id)),
    cancelIntent: (id) => call("payments", "cancelIntent", () => payments.cancelIntent(id)),
    intentsOf: (orderId) => call("payments", "intentsOf", () => payments.intentsOf(orderId)),
    refund: (request) => call("payments", "refund", () => payments.refund(request)),
    refundsOf: (intentId) => call("payments", "refundsOf", () => payments.refundsOf(intentId)),
    retrieveDispute: (id) => call("payments", "retrieveDispute", () => payments.retrieveDispute(id)),
    undeliveredNotices: (span, after) =>
      call("payments", "undeliveredNotices", () => payments.undeliveredNotices(span, after)),
    readWebhook: (rawBody, signature) => notice("payments", () => payments.readWebhook(rawBody, signature)),
  };
}

function watchAutomation(automation: Automation, { call, notice }: ProviderCalls): Automation {
  return {
    submit: (application) => call("automation", "submit", () => automation.submit(application)),
    ask: (key) => call("automation", "ask", () => automation.ask(key)),
    statuses: (submissions) => call("automation", "statuses", () => automation.statuses(submissions)),
    readNotice: (rawBody, headers) => notice("automation", () => automation.readNotice(rawBody, headers)),
  };
}

function watchMailer(mailer: Mailer, { call }: ProviderCalls): Mailer {
  return {
    send: (mail) => call("mail", "send", () => mailer.send(mail)),
    close: () => mailer.close(),
  };
}

function watchIdentity(identity: IdentityProvider, { call }: ProviderCalls): IdentityProvider {
  return {
    namesOf: (userIds) => call("identity", "namesOf", () => identity.namesOf(userIds)),
    endSession: (sessionId) => call("identity", "endSession", () => identity.endSession(sessionId)),
    endSessionsOf: (userId) => call("identity", "endSessionsOf", () => identity.endSessionsOf(userId)),
  };
}

/** All providers, each call watched. */
export function watchOutside<
  World extends { payments: Payments; automation: Automation; mailer: Mailer; identity: IdentityProvider },
>(world: World, calls: ProviderCalls): World {
  return {
    ...world,
    payments: watchPayments(world.payments, calls),
    automation: watchAutomation(world.automation, calls),
    mailer: watchMailer(world.mailer, calls),
    identity: watchIdentity(world.identity, calls),
  };
}
