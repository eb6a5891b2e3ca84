import { Router } from "express";
import type { Log } from "../../infra/log.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { Deliveries } from "./deliveries.ts";
import { deliveryTargets } from "./delivery-targets.ts";
import { fromThisMachine } from "./from-here.ts";
import { type AutomationService, createAutomationService } from "./gro/automation-service.ts";
import { Register } from "./gro/register.ts";
import { createMailbox } from "./mail/mailbox.ts";
import { pageOriginsOf } from "./page-origins.ts";
import { type SandboxKeys, sandboxKeysOf } from "./sandbox-keys.ts";
import { createSandboxSchema } from "./schema.ts";
import type { StripeBehaviour } from "./stripe/ledger.ts";
import { createStripeStandIn, type StripeStandIn } from "./stripe/stand-in.ts";

/** What the sandbox can stand in for by a server of its own. The sign-in needs none: it is served by the product. */
export type SandboxPort = "payments" | "submission" | "mail";

const everyPort: ReadonlySet<SandboxPort> = new Set(["payments", "submission", "mail"]);

export type SandboxSettings = {
  /** Which stand-ins there are; all of them unless told. The others neither listen nor have a route. */
  ports?: ReadonlySet<SandboxPort>;
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

/** What the product is told of each stand-in; undefined where there is none. */
export type SandboxAddresses = {
  payments: SandboxPayments | undefined;
  automation: { url: string; secret: string } | undefined;
  smtp: { host: string; port: number } | undefined;
};

export type SandboxPayments = {
  stripe: {
    secretKey: string;
    publishableKey: string;
    webhookSecret: string;
    host: string;
    port: number;
    protocol: "http";
  };
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
  let baseUrl: string | undefined;
  let cardOrigin = "";
  const targets = deliveryTargets(keys, () => baseUrl);
  const deliveries = new Deliveries({ pool, now, log, targets });
  const stripe = createStripeStandIn({
    ...settings,
    deliveries,
    secretKey: keys.stripeSecretKey,
    publishableKey: keys.stripePublishableKey,
    cardHost: settings.cardHost ?? "127.0.0.1",
    cardOrigin: () => cardOrigin,
    pageOrigins: () => pageOriginsOf([settings.publicUrl, baseUrl].filter((url) => url !== undefined)),
    behaviour: settings.stripeBehaviour ?? { webhooks: "ok", refunds: "ok" },
    latestMs: settings.latestWebhookMs ?? 3_000,
    fromHere: fromThisMachine,
  });
  const dispatchAfterMs = settings.dispatchAfterMs === undefined ? 60_000 : settings.dispatchAfterMs;
  const register = new Register({ pool, deliveries, now, newId, random, dispatchAfterMs });
  const secret = keys.automationSecret;
  const automation = createAutomationService({ register, secret, fromHere: fromThisMachine, log });
  const mailbox = createMailbox({ fromHere: fromThisMachine, now, newId, log });
  const parts = { payments: stripe, submission: automation, mail: mailbox };
  const ports = settings.ports ?? everyPort;
  const routes = Router();
  for (const port of ports) routes.use(parts[port].routes);

  return {
    routes,
    behave: stripe.behave,
    behaveAsGro: automation.behaviour,
    start: async () => {
      await createSandboxSchema(pool);
      const stripeAt = ports.has("payments") ? await stripe.start() : undefined;
      const automationAt = ports.has("submission") ? await automation.start() : undefined;
      const smtp = ports.has("mail") ? await mailbox.start() : undefined;
      await deliveries.start();
      const addresses: SandboxAddresses = {
        payments: stripeAt && paymentsAt(keys, settings.publicUrl, stripeAt),
        automation: automationAt && {
          url: `http://${automationAt.host}:${automationAt.port}`,
          secret: keys.automationSecret,
        },
        smtp,
      };
      cardOrigin = addresses.payments?.cardOrigin ?? "";
      return addresses;
    },
    deliverTo: (url) => {
      baseUrl = url.replace(/\/+$/, "");
      deliveries.wake();
    },
    stop: async () => {
      await deliveries.stop();
      await Promise.all([...ports].map((port) => parts[port].stop()));
    },
  };
}

type Place = { host: string; port: number };

const paymentsAt = (
  keys: SandboxKeys,
  publicUrl: string | undefined,
  { api, card }: { api: Place; card: Place },
): SandboxPayments => ({
  stripe: {
    secretKey: keys.stripeSecretKey,
    publishableKey: keys.stripePublishableKey,
    webhookSecret: keys.stripeWebhookSecret,
    host: api.host,
    port: api.port,
    protocol: "http",
  },
  cardOrigin: cardOriginOf(publicUrl, card.port),
});

/** The product's host at the card frame's own port: another port is another origin. */
function cardOriginOf(publicUrl: string | undefined, port: number): string {
  const origin = new URL(publicUrl ?? "http://localhost");
  origin.port = String(port);
  return origin.origin;
}
