import type { IdentityProvider } from "../identity/identity-provider.ts";
import type { Automation } from "../providers/gro/automation.ts";
import type { Mailer } from "../providers/smtp/mailer.ts";
import type { Payments } from "../providers/stripe/payments.ts";
import type { ProviderCalls } from "./provider-calls.ts";

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

export function watchAutomation(automation: Automation, { call, notice }: ProviderCalls): Automation {
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
