import { createHmac } from "node:crypto";
import type { RequestListener } from "node:http";
import express, { type ErrorRequestHandler, type Express, Router } from "express";
import { Webhook } from "standardwebhooks";
import type { Pool } from "../../../infra/postgres/pool.ts";
import type { Log } from "../../../infra/process/log.ts";
import { type AutomationService, createAutomationService } from "../gro/sandbox/automation-server.ts";
import { Register } from "../gro/sandbox/register.ts";
import { createMailbox } from "../smtp/sandbox/mailbox.ts";
import type { ReturnPlace } from "../smtp/sandbox/returns.ts";
import type { StripeBehaviour } from "../stripe/sandbox/ledger.ts";
import { createStripeSandbox, type StripeSandbox } from "../stripe/sandbox/stripe-sandbox.ts";
import {
  addressesOf,
  pageOriginsOf,
  type SandboxAddresses,
  type SandboxKeys,
  type SandboxPort,
  sandboxKeysOf,
} from "./addresses.ts";
import { Deliveries, type Target, type TargetName } from "./deliveries.ts";
import { createFromHere } from "./from-here.ts";
import { type Listening, listen, refuseNull, statusOfUnreadable } from "./http-server.ts";
import { createSandboxSchema } from "./schema.ts";

const everyPort: ReadonlySet<SandboxPort> = new Set(["payments", "submission", "mail"]);

type SandboxSettings = {
  /** Parts to run; all by default. The others neither listen nor have a route. */
  ports?: ReadonlySet<SandboxPort>;
  pool: Pool;
  /** 32 random bytes of the installation, from which all keys are derived. */
  installationSecret: Uint8Array;
  /** 0 for any free port. */
  cardPort: number;
  /** Where the card frame listens; loopback by default. */
  cardHost?: string;
  /**
   * Where the rest listens, including the sandbox's pages; undefined for free loopback ports, with the pages left to
   * the product's server.
   */
  own?: { readonly host: string; readonly apiPort: number; readonly smtpPort: number };
  /** Where browsers find the product; the default for `deliverTo`. */
  publicUrl?: string | undefined;
  /** Delay before a certificate is despatched automatically, 60,000 by default; null to despatch on request only. */
  dispatchAfterMs?: number | null;
  stripeBehaviour?: StripeBehaviour;
  /** Maximum delay of a webhook in hostile mode. */
  latestWebhookMs?: number;
  now: () => Date;
  newId: () => string;
  random: () => number;
  log: Pick<Log, "error">;
};

export type Sandbox = {
  /** Mount at /sandbox. */
  routes: Router;
  /** The servers, for tests that walk their routes. */
  servers: { readonly stripe: Express; readonly cards: Express; readonly automation: Express };
  /** Listens, and resumes deliveries from before a restart. */
  start: () => Promise<SandboxAddresses>;
  /** The product listens here now: webhooks are sent, and its pages may show the card fields. */
  deliverTo: (baseUrl: string) => void;
  /** The product takes mail in here now. */
  returnMailTo: (place: ReturnPlace) => void;
  /** Controls the sandbox, as its control routes do. */
  behave: StripeSandbox["behave"];
  behaveAsGro: AutomationService["behaviour"];
  stop: () => Promise<void>;
};

/** The providers' sandbox: card payments, the GRO automation service, and a mail server. */
export function createSandbox(settings: SandboxSettings): Sandbox {
  const { pool, log, now, newId, random } = settings;
  const keys = sandboxKeysOf(settings.installationSecret);
  const fromHere = createFromHere({ publicUrl: settings.publicUrl, secret: keys.pagesSecret });
  let baseUrl: string | undefined;
  let cardOrigin = "";
  const targets = deliveryTargets(keys, () => baseUrl);
  const deliveries = new Deliveries({ pool, now, log, targets });
  const stripe = createStripeSandbox({
    ...settings,
    deliveries,
    secretKey: keys.stripeSecretKey,
    publishableKey: keys.stripePublishableKey,
    cardHost: settings.cardHost ?? "127.0.0.1",
    cardOrigin: () => cardOrigin,
    pageOrigins: () => pageOriginsOf([settings.publicUrl, baseUrl].filter((url) => url !== undefined)),
    behaviour: settings.stripeBehaviour ?? { webhooks: "ok", refunds: "ok" },
    latestMs: settings.latestWebhookMs ?? 3_000,
    fromHere,
  });
  const dispatchAfterMs = settings.dispatchAfterMs === undefined ? 60_000 : settings.dispatchAfterMs;
  const register = new Register({ pool, deliveries, now, newId, random, dispatchAfterMs });
  const secret = keys.automationSecret;
  const automation = createAutomationService({ register, secret, fromHere, log });
  const mailbox = createMailbox({ fromHere, now, newId, log });
  const parts = { payments: stripe, submission: automation, mail: mailbox };
  const ports = settings.ports ?? everyPort;
  const routes = Router().use(refuseNull);
  for (const port of ports) routes.use(parts[port].routes);
  const { own } = settings;
  const host = own?.host ?? "127.0.0.1";
  const apiServer = createApiServer({
    stripe: ports.has("payments") ? stripe.api : undefined,
    automation: ports.has("submission") ? automation.api : undefined,
    pages: own && routes,
    log,
  });
  let api: Listening | undefined;

  return {
    routes,
    servers: { stripe: stripe.api, cards: stripe.cards, automation: automation.api },
    behave: stripe.behave,
    behaveAsGro: automation.behaviour,
    start: async () => {
      await createSandboxSchema(pool);
      api = await listen(apiServer, host, own?.apiPort ?? 0);
      const card = ports.has("payments") ? await stripe.start() : { port: 0 };
      const smtp = ports.has("mail") ? await mailbox.start(host, own?.smtpPort ?? 0) : { host, port: 0 };
      await deliveries.start();
      const addresses = addressesOf(ports, keys, { api, cardPort: card.port, smtp }, settings.publicUrl);
      cardOrigin = addresses.payments?.cardOrigin ?? "";
      return addresses;
    },
    deliverTo: (url) => {
      baseUrl = url.replace(/\/+$/, "");
      deliveries.wake();
    },
    returnMailTo: mailbox.returnTo,
    stop: async () => {
      await deliveries.stop();
      await Promise.all([stripe.stop(), ports.has("mail") && mailbox.stop(), api?.close()]);
    },
  };
}

/** Servers at the sandbox's address; each undefined if that part is absent. */
type ApiParts = {
  readonly stripe: RequestListener | undefined;
  readonly automation: RequestListener | undefined;
  /** Only for a standalone sandbox: otherwise the product's server serves them. */
  readonly pages: Router | undefined;
  readonly log: Pick<Log, "error">;
};

const nothing: RequestListener = (_request, response) => void response.writeHead(404).end();

/** One server for all, since their paths differ. */
function createApiServer({ stripe, automation, pages, log }: ApiParts): RequestListener {
  const site =
    pages && express().disable("x-powered-by").disable("etag").use("/sandbox", pages).use(answerFaults(log));
  const partFor = (path: string): RequestListener | undefined => {
    if (path.startsWith("/sandbox")) return site;
    return path.startsWith("/v1/") ? stripe : automation;
  };
  return (request, response) => (partFor(request.url ?? "/") ?? nothing)(request, response);
}

/** Express would show the stack of an error. */
const answerFaults =
  (log: Pick<Log, "error">): ErrorRequestHandler =>
  (error: unknown, _request, response, _next) => {
    const status = statusOfUnreadable(error) ?? 500;
    if (status === 500)
      log.error({ fault: error instanceof Error ? error.name : "unknown" }, "a page of the sandbox failed");
    response.status(status).json({ issues: "The sandbox could not answer." });
  };

function deliveryTargets(
  keys: SandboxKeys,
  baseUrl: () => string | undefined,
): Readonly<Record<TargetName, Target>> {
  const webhook = new Webhook(keys.automationSecret);
  const at = (path: string) => () => {
    const base = baseUrl();
    return base === undefined ? undefined : `${base}${path}`;
  };
  return {
    stripe: {
      url: at("/api/webhooks/stripe"),
      sign: (_id, body, now) => ({
        "stripe-signature": stripeSignature(keys.stripeWebhookSecret, body, now),
      }),
    },
    gro: {
      url: at("/api/webhooks/gro"),
      sign: (id, body, now) => ({
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": webhook.sign(id, now, body),
      }),
    },
  };
}

/**
 * Signs as Stripe does: https://docs.stripe.com/webhooks/signature. Written independently of the SDK that verifies it.
 */
function stripeSignature(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const digest = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}
