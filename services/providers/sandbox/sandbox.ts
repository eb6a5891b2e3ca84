import { type Express, Router } from "express";
import type { Pool } from "../../../infra/postgres/pool.ts";
import type { Log } from "../../../infra/process/log.ts";
import { type AutomationService, createAutomationService } from "../gro/sandbox/automation-server.ts";
import { Register } from "../gro/sandbox/register.ts";
import { createMailbox } from "../smtp/sandbox/mailbox.ts";
import type { StripeBehaviour } from "../stripe/sandbox/ledger.ts";
import { createStripeStandIn, type StripeStandIn } from "../stripe/sandbox/stripe-sandbox.ts";
import { addressesOf, pageOriginsOf, type SandboxAddresses, type SandboxPort } from "./addresses.ts";
import { createApiServer } from "./api-server.ts";
import { Deliveries } from "./deliveries.ts";
import { deliveryTargets } from "./delivery-targets.ts";
import { createFromHere } from "./from-here.ts";
import { type Listening, listen } from "./http-server.ts";
import { sandboxKeysOf } from "./sandbox-keys.ts";
import { createSandboxSchema } from "./schema.ts";
import { refuseNull } from "./unreadable-requests.ts";

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
  /** Where the rest listens, and with it the sandbox's pages; undefined for free ports of this machine, the pages left to the product's server. */
  own?: { readonly host: string; readonly apiPort: number; readonly smtpPort: number };
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

export type Sandbox = {
  /** To be mounted at /sandbox. */
  routes: Router;
  /** What listens beside them, for whoever wants to walk their routes. */
  servers: { readonly stripe: Express; readonly cards: Express; readonly automation: Express };
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
  const fromHere = createFromHere({ publicUrl: settings.publicUrl, secret: keys.pagesSecret });
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
    stop: async () => {
      await deliveries.stop();
      await Promise.all([stripe.stop(), ports.has("mail") && mailbox.stop(), api?.close()]);
    },
  };
}
