import { Router } from "express";
import { Webhook } from "standardwebhooks";
import type { Log } from "../../infra/log.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { createDeliveries } from "./deliveries.ts";
import { fromThisMachine } from "./from-here.ts";
import { type AutomationService, createAutomationService } from "./gro/automation-service.ts";
import { Register } from "./gro/register.ts";
import { createMailbox } from "./mail/mailbox.ts";
import { pageOriginsOf } from "./page-origins.ts";
import { sandboxKeysOf } from "./sandbox-keys.ts";
import { createSandboxSchema } from "./schema.ts";
import type { StripeBehaviour } from "./stripe/ledger.ts";
import { createStripeStandIn, type StripeStandIn } from "./stripe/stand-in.ts";
import { stripeSignature } from "./stripe/webhook-signature.ts";

export type SandboxSettings = {
  pool: Pool;
  /** 32 random bytes of the installation, from which all keys are derived. */
  installationSecret: Uint8Array;
  /** 0 for any free port. */
  cardPort: number;
  /** Where the card frame listens; loopback unless told. */
  cardHost?: string;
  /** Where browsers find the product; what `deliverTo` is told unless given. */
  publicUrl?: string | undefined;
  /** When a certificate is despatched by itself (60,000 unless told); null for only when told to. */
  dispatchAfterMs?: number | null;
  stripeBehaviour?: StripeBehaviour;
  /** How late a webhook of the hostile mode may come. */
  latestWebhookMs?: number;
  now: () => Date;
  newId: () => string;
  random: () => number;
  log: Pick<Log, "error">;
};

/** What the product is told of its outside world. */
export type SandboxAddresses = {
  stripe: {
    secretKey: string;
    publishableKey: string;
    webhookSecret: string;
    host: string;
    port: number;
    protocol: "http";
  };
  automation: { url: string; secret: string };
  smtp: { host: string; port: number };
  /** For `frame-src` of the product's Content-Security-Policy. */
  cardOrigin: string;
};

export type Sandbox = {
  /** To be mounted at /sandbox. */
  routes: Router;
  /** Listens, and takes up what was owed before a restart. */
  start: () => Promise<SandboxAddresses>;
  /** The product listens here now: webhooks go out, and its pages may show the card fields. */
  deliverTo: (baseUrl: string) => void;
  /** Steers the stand-ins, as the control routes do. */
  behave: StripeStandIn["behave"];
  behaveAsGro: AutomationService["behaviour"];
  stop: () => Promise<void>;
};

/** The outside world in a box: card payments, the service that submits to the GRO, and a mail server. */
export function createSandbox(settings: SandboxSettings): Sandbox {
  const { pool, log, now, newId, random } = settings;
  const keys = sandboxKeysOf(settings.installationSecret);
  const automationWebhook = new Webhook(keys.automationSecret);
  let baseUrl: string | undefined;
  let cardOrigin = "";

  const deliveries = createDeliveries({
    pool,
    now,
    log,
    targets: {
      stripe: {
        url: () => baseUrl && `${baseUrl}/api/webhooks/stripe`,
        sign: (_id, body, at) => ({
          "stripe-signature": stripeSignature(keys.stripeWebhookSecret, body, at),
        }),
      },
      gro: {
        url: () => baseUrl && `${baseUrl}/api/webhooks/gro`,
        sign: (id, body, at) => ({
          "webhook-id": id,
          "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
          "webhook-signature": automationWebhook.sign(id, at, body),
        }),
      },
    },
  });
  const stripe = createStripeStandIn({
    pool,
    deliveries,
    secretKey: keys.stripeSecretKey,
    publishableKey: keys.stripePublishableKey,
    cardHost: settings.cardHost ?? "127.0.0.1",
    cardPort: settings.cardPort,
    cardOrigin: () => cardOrigin,
    pageOrigins: () => pageOriginsOf([settings.publicUrl, baseUrl].filter((url) => url !== undefined)),
    behaviour: settings.stripeBehaviour ?? { webhooks: "ok", refunds: "ok" },
    latestMs: settings.latestWebhookMs ?? 3_000,
    fromHere: fromThisMachine,
    now,
    newId,
    random,
    log,
  });
  const dispatchAfterMs = settings.dispatchAfterMs === undefined ? 60_000 : settings.dispatchAfterMs;
  const register = new Register({ pool, deliveries, now, newId, random, dispatchAfterMs });
  const automation = createAutomationService({
    register,
    secret: keys.automationSecret,
    fromHere: fromThisMachine,
    log,
  });
  const mailbox = createMailbox({ fromHere: fromThisMachine, now, newId });
  const routes = Router();
  routes.use(stripe.routes, automation.routes, mailbox.routes);

  return {
    routes,
    behave: stripe.behave,
    behaveAsGro: automation.behaviour,
    start: async () => {
      await createSandboxSchema(pool);
      const [servers, automationServer, smtp] = await Promise.all([
        stripe.start(),
        automation.start(),
        mailbox.start(),
      ]);
      cardOrigin = cardOriginOf(settings.publicUrl, servers.card.port);
      await deliveries.start();
      return {
        stripe: {
          secretKey: keys.stripeSecretKey,
          publishableKey: keys.stripePublishableKey,
          webhookSecret: keys.stripeWebhookSecret,
          host: servers.api.host,
          port: servers.api.port,
          protocol: "http",
        },
        automation: {
          url: `http://${automationServer.host}:${automationServer.port}`,
          secret: keys.automationSecret,
        },
        smtp,
        cardOrigin,
      };
    },
    deliverTo: (url) => {
      baseUrl = url.replace(/\/+$/, "");
      deliveries.wake();
    },
    stop: async () => {
      await deliveries.stop();
      await Promise.all([stripe.stop(), automation.stop(), mailbox.stop()]);
    },
  };
}

/** The product's host at the card frame's own port: another port is another origin. */
function cardOriginOf(publicUrl: string | undefined, port: number): string {
  const origin = new URL(publicUrl ?? "http://localhost");
  origin.port = String(port);
  return origin.origin;
}
