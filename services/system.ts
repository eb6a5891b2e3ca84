import { currentConsent, currentTerms } from "../domain/agreements.ts";
import type { DutySettings } from "../domain/order/duty.ts";
import { createAuditor } from "../infra/audit/auditor.ts";
import type { Config } from "../infra/config.ts";
import { expectFree, freePort } from "../infra/free-port.ts";
import { buildWebWhenChanged, webFolder } from "../infra/setup/build-web.ts";
import { createProjections } from "../projections/projections.ts";
import { openAuditBook } from "./audit/audit-book.ts";
import type { Desk } from "./commands/desk.ts";
import { createOrders } from "./commands/orders.ts";
import { createGateway } from "./gateway/gateway.ts";
import type { ReadinessCheck } from "./gateway/health.ts";
import { createOrderAccess } from "./gateway/order-access.ts";
import { sandboxOrigins } from "./gateway/security-headers.ts";
import { createTicketLinks } from "./gateway/ticket-links.ts";
import { type Ground, layGround } from "./ground.ts";
import { createDirectory } from "./identity/directory.ts";
import { createSignOut } from "./identity/sign-out.ts";
import { composeOrderMails } from "./mail/compose-order-mails.ts";
import { composeTicketMails } from "./mail/compose-ticket-mails.ts";
import { type OutsideWorld, reachOutside, refuseSandboxInProduction } from "./outside-world.ts";
import { createOrderJobs } from "./policies/order-jobs.ts";
import { outstandingPurges } from "./policies/outstanding-purges.ts";
import { createPolicies, type Policies } from "./policies/policies.ts";
import type { CurrentSettings, GivenSettings, SettingsBook } from "./settings/settings.ts";
import { openSettings } from "./settings/settings-book.ts";
import { createSettingsTexts } from "./settings/settings-texts.ts";
import { createTickets } from "./tickets/tickets.ts";
import { createBlindIndex } from "./vault/blind-index.ts";
import { idDeriver } from "./vault/record-ids.ts";

/** The whole product in one process. */
export type System = {
  url: string;
  stop: () => Promise<void>;
  /** Settles when the system cannot go on; it still has to be stopped. */
  lost: Promise<Error>;
};

/**
 * Builds every part from the configuration and starts it.
 * @param signal gives the start up
 * @throws OperatorFault, the signal's reason, or a fault of ours; then everything that was started has ended again
 */
export async function startSystem(config: Config, signal: AbortSignal): Promise<System> {
  refuseSandboxInProduction(config);
  await using closing = new AsyncDisposableStack();
  const port = config.PORT === 0 ? await freePort() : config.PORT;
  const url = config.PUBLIC_URL ?? `http://localhost:${port}`;
  for (const taken of [port, config.SANDBOX_CARD_PORT]) await expectFree(config.HOST, taken);

  const ground = await layGround(config, closing, signal);
  // After the data folder is ours, so that two starts in one folder never build at once.
  if (!config.SKIP_WEB_BUILD) await buildWebWhenChanged(signal);
  const settings = await openSettings({
    ...ground,
    texts: createSettingsTexts(ground.pool),
    given: givenBy(config),
  });
  closing.defer(() => settings.stop());
  const outside = await reachOutside(config, url, ground, settings, closing);
  const desk = await openDesk(config, ground, outside, settings);
  const projections = createProjections({ ...ground });
  const access = createOrderAccess({
    key: await ground.secrets.secret("order-access"),
    publicUrl: url,
    now: ground.now,
  });
  const ticketLinks = createTicketLinks({ key: await ground.secrets.secret("ticket-links"), publicUrl: url });
  const retention = dutySettings(settings, config);
  const policies = createPolicies({
    ...ground,
    ...outside,
    desk,
    mails: composeOrderMails({
      company: () => settings.current().company,
      contactRetentionDays: () => settings.current().contactRetentionDays,
      trackingLink: access.trackingLink,
      now: ground.now,
    }),
    ticketMails: composeTicketMails({
      company: () => settings.current().company,
      linkTo: ticketLinks.linkTo,
    }),
    settings: retention,
    sweepEverySeconds: config.SWEEP_EVERY_SECONDS,
  });
  const audit = await openAuditBook(config);
  const auditor = createAuditor({ ...ground, book: audit.book });
  const gateway = createGateway({
    auditor,
    signer: audit.signer,
    retention,
    outstandingPurges: outstandingPurges(ground.pool),
    orderJobs: createOrderJobs({ ...ground, settings: () => dutySettings(settings, config) }),
    desk,
    store: ground.store,
    automation: outside.automation,
    queries: projections.queries,
    access,
    ticketLinks,
    finder: createBlindIndex(ground),
    settings,
    site: siteOf(outside),
    publicUrl: url,
    identify: outside.identify,
    waitFor: projections.waitFor,
    standing: projections.ready,
    readiness: readiness(ground, projections, settings, policies),
    foreignOrigins: sandboxOrigins(outside.cardOrigin),
    webFolder,
    trustProxy: config.TRUST_PROXY,
    sharedCounts: ground.redis && {
      redis: ground.redis,
      addressKey: await ground.secrets.secret("request-counts"),
    },
    endedSessions: outside.endedSessions,
    directory: createDirectory(outside.identity, ground.log),
    signOut: createSignOut(outside.identity, outside.endedSessions),
    sandbox: { routes: outside.sandbox.routes, identity: outside.identity },
  });

  await projections.start();
  closing.defer(() => projections.stop());
  signal.throwIfAborted();
  await policies.start();
  closing.defer(() => policies.stop());
  auditor.start();
  closing.defer(() => auditor.stop());
  const listening = await gateway.listen(config.HOST, port);
  closing.defer(() => listening.close());
  outside.sandbox.deliverTo(`http://${config.HOST === "0.0.0.0" ? "127.0.0.1" : config.HOST}:${port}`);
  ground.log.info({ url, pid: process.pid }, "ready");

  const running = closing.move();
  return { url, stop: () => running.disposeAsync(), lost: ground.lost };
}

/** Retention is a setting that may change while we run; each duty asks for it. */
const dutySettings = (settings: CurrentSettings, config: Config): DutySettings => ({
  purgeAfterSeconds: config.PURGE_AFTER_SECONDS,
  unpaidExpiresAfterSeconds: config.UNPAID_EXPIRES_AFTER_SECONDS,
  submissionRequestedWithinSeconds: config.SUBMISSION_REQUESTED_WITHIN_SECONDS,
  get contactRetentionDays() {
    return settings.current().contactRetentionDays;
  },
});

const givenBy = (config: Config): GivenSettings => ({
  company: {
    tradingName: config.TRADING_NAME,
    supportEmail: config.SUPPORT_EMAIL,
    postalAddress: config.POSTAL_ADDRESS,
    companyNumber: config.COMPANY_NUMBER,
  },
  contactRetentionDays: config.CONTACT_RETENTION_DAYS,
  adminUsernames: config.ADMIN_USERNAMES,
});

const siteOf = (outside: OutsideWorld) => ({
  modes: { payments: "sandbox", identity: "sandbox", submission: "sandbox", mail: "sandbox" } as const,
  publishableKey: outside.publishableKey,
  stripeScript: "/sandbox/stripe.js",
  termsVersion: currentTerms.version,
  consentVersion: currentConsent.version,
});

async function openDesk(
  config: Config,
  ground: Ground,
  outside: OutsideWorld,
  settings: CurrentSettings,
): Promise<Desk> {
  const { store, random, now, newId, vault, log, secrets } = ground;
  return {
    orders: createOrders({ store, random, now }),
    tickets: createTickets({ store, random, now }),
    vault,
    payments: outside.payments,
    deriveId: idDeriver(await secrets.secret("id-namespace")),
    unpaidExpiresAfterSeconds: config.UNPAID_EXPIRES_AFTER_SECONDS,
    priceLists: () => settings.current().prices,
    now,
    newId,
    log,
  };
}

function readiness(
  { pool }: Ground,
  projections: ReturnType<typeof createProjections>,
  settings: Pick<SettingsBook, "trouble">,
  policies: Policies,
): ReadinessCheck[] {
  return [
    {
      name: "database",
      check: async () => {
        await pool.query("select 1");
        return undefined;
      },
    },
    {
      name: "projections",
      check: async () => {
        const unready = (await projections.ready()).filter(({ state }) => state !== "ready");
        return unready.length === 0
          ? undefined
          : unready
              .map(({ name, state, reason }) => `${name} is ${state}${reason ? ` (${reason})` : ""}`)
              .join(", ");
      },
    },
    {
      name: "settings",
      check: async () => settings.trouble(),
    },
    {
      name: "policies",
      check: async () => {
        const { state, reason } = await policies.status();
        return state === "stopped" ? `stopped (${reason})` : undefined;
      },
    },
  ];
}
