import type { RequestHandler } from "express";
import type { Config } from "../../infra/config/config.ts";
import type { ProviderSettings } from "../../infra/config/provider-settings.ts";
import {
  clerkOrigins,
  type ForeignOrigins,
  sandboxOrigins,
  stripeOrigins,
} from "../gateway/security-headers.ts";
import { createEndedSessions, type EndedSessions } from "../identity/ended-sessions.ts";
import type { IdentityProvider } from "../identity/identity-provider.ts";
import { createIdentify, type Identify } from "../identity/session-token.ts";
import { createClerkIdentity } from "../providers/clerk/clerk-identity.ts";
import {
  createSandboxIdentity,
  createSandboxTokens,
  type SandboxIdentity,
  sandboxIssuer,
} from "../providers/clerk/sandbox/sandbox-identity.ts";
import { type Automation, noAutomation } from "../providers/gro/automation.ts";
import { createAutomationClient } from "../providers/gro/automation-client.ts";
import {
  addressesOf,
  type SandboxAddresses,
  type SandboxPlaces,
  sandboxKeysOf,
} from "../providers/sandbox/addresses.ts";
import { createFromHere } from "../providers/sandbox/from-here.ts";
import { createSandbox, type Sandbox } from "../providers/sandbox/sandbox.ts";
import { createSandboxSchema } from "../providers/sandbox/schema.ts";
import type { Mailer } from "../providers/smtp/mailer.ts";
import { createSmtpMailer } from "../providers/smtp/smtp-mailer.ts";
import type { Payments } from "../providers/stripe/payments.ts";
import { createStripePayments, type StripeSettings } from "../providers/stripe/stripe-payments.ts";
import type { CurrentSettings } from "../settings/settings.ts";
import type { Infrastructure } from "./infrastructure.ts";
import { type Modes, modesOf, sandboxedOf } from "./provider-modes.ts";

/** All providers: payments, GRO automation, mail and identity, each real or sandboxed independently. */
export type OutsideWorld = ReachedIdentity & {
  readonly payments: Payments;
  readonly automation: Automation;
  readonly mailer: Mailer;
  /** Provider settings shown to the pages. */
  readonly shown: {
    readonly modes: Modes;
    readonly publishableKey: string;
    /** Null when the card provider's own is loaded. */
    readonly stripeScript: string | null;
    /** Null when the sandbox signs people in. */
    readonly clerkPublishableKey: string | null;
  };
  readonly foreignOrigins: ForeignOrigins;
  /** For pages that need the signed-in user; undefined when the sandbox signs people in. */
  readonly identityOrigins: ForeignOrigins | undefined;
  /** Undefined when no sandbox server runs in this process. */
  readonly sandbox: Sandbox | undefined;
};

type ProviderDependencies = Pick<Infrastructure, "pool" | "secrets" | "now" | "newId" | "random" | "log"> &
  Partial<Pick<Infrastructure, "telemetry">>;

/** Connects to the providers whose keys are set, and to the sandbox for the rest. */
export async function reachOutside(
  config: Config,
  publicUrl: string,
  infrastructure: ProviderDependencies,
  settings: CurrentSettings,
  closing: AsyncDisposableStack,
): Promise<OutsideWorld> {
  const { providers } = config;
  const { now, newId, telemetry } = infrastructure;
  const { sandbox, addresses } = await openSandboxes(config, publicUrl, infrastructure, closing);
  const cards = cardProviderOf(providers.stripe, addresses.payments);
  const reached = await reachIdentity({
    keys: providers.clerk,
    publicUrl,
    adminUsernames: config.ADMIN_USERNAMES,
    infrastructure,
    settings,
  });
  const from = () => {
    const { tradingName, supportEmail } = settings.current().company;
    return { name: tradingName, address: supportEmail };
  };
  return {
    ...reached,
    payments: createStripePayments({ ...cards.stripe, now }),
    automation: providers.submissionByHand
      ? noAutomation
      : createAutomationClient({
          ...given(providers.automation ?? addresses.automation, "automation service"),
          now,
          newId,
          ...(telemetry && { moreHeaders: telemetry.callHeaders }),
        }),
    mailer: closing.adopt(
      createSmtpMailer({ ...mailServerOf(providers.smtp, addresses), from, log: infrastructure.log }),
      (open) => open.close(),
    ),
    shown: {
      modes: modesOf(providers),
      publishableKey: cards.stripe.publishableKey,
      stripeScript: cards.script,
      clerkPublishableKey: providers.clerk?.publishableKey ?? null,
    },
    foreignOrigins: cards.origins,
    identityOrigins: providers.clerk && clerkOrigins(providers.clerk),
    sandbox,
  };
}

type Sandboxes = { readonly sandbox: Sandbox | undefined; readonly addresses: SandboxAddresses };

async function openSandboxes(
  config: Config,
  publicUrl: string,
  infrastructure: ProviderDependencies,
  closing: AsyncDisposableStack,
): Promise<Sandboxes> {
  const ports = sandboxedOf(config.providers);
  if (ports.size === 0) {
    return { sandbox: undefined, addresses: { payments: undefined, automation: undefined, smtp: undefined } };
  }
  const installationSecret = await infrastructure.secrets.secret("sandbox");
  const places = sandboxElsewhere(config);
  if (places !== undefined) {
    const keys = sandboxKeysOf(installationSecret);
    return { sandbox: undefined, addresses: addressesOf(ports, keys, places, publicUrl) };
  }
  const sandbox = createSandbox({
    ...infrastructure,
    ports,
    installationSecret,
    cardPort: config.SANDBOX_CARD_PORT,
    cardHost: config.HOST,
    publicUrl,
  });
  const addresses = await sandbox.start();
  closing.defer(() => sandbox.stop());
  return { sandbox, addresses };
}

/** Address of a standalone sandbox; undefined when it runs in this process. */
export function sandboxElsewhere(
  config: Pick<Config, "SANDBOX_URL" | "SANDBOX_CARD_PORT" | "SANDBOX_SMTP_PORT">,
): SandboxPlaces | undefined {
  if (config.SANDBOX_URL === undefined) return undefined;
  const { hostname, port } = new URL(config.SANDBOX_URL);
  const host = hostname.replace(/^\[|\]$/g, "");
  return {
    api: { host, port: Number(port || "80") },
    cardPort: config.SANDBOX_CARD_PORT,
    smtp: { host, port: config.SANDBOX_SMTP_PORT },
  };
}

type CardProvider = {
  readonly stripe: Omit<StripeSettings, "now"> & { readonly publishableKey: string };
  readonly script: string | null;
  readonly origins: ForeignOrigins;
};

function cardProviderOf(
  keys: ProviderSettings["stripe"],
  sandboxed: SandboxAddresses["payments"],
): CardProvider {
  if (keys !== undefined) return { stripe: keys, script: null, origins: stripeOrigins };
  const { stripe, cardOrigin } = given(sandboxed, "card provider");
  return { stripe, script: "/sandbox/stripe.js", origins: sandboxOrigins(cardOrigin) };
}

function mailServerOf(server: ProviderSettings["smtp"], { smtp }: SandboxAddresses) {
  return server ?? { ...given(smtp, "mail server"), tls: "none" as const };
}

/** Without keys the sandbox must exist: a missing one is a bug. */
function given<T>(part: T | undefined, what: string): T {
  if (part === undefined) throw new Error(`There is neither a ${what} nor a sandbox for it.`);
  return part;
}

type ReachedIdentity = {
  readonly identify: Identify;
  readonly identity: IdentityProvider;
  readonly endedSessions: EndedSessions;
  /** Pages and cookies served by us, subject to `fromHere`; undefined for a real provider. */
  readonly sandboxIdentity:
    | { readonly provider: SandboxIdentity; readonly fromHere: RequestHandler }
    | undefined;
};

type Parts = {
  readonly keys: ProviderSettings["clerk"];
  readonly publicUrl: string;
  readonly adminUsernames: readonly string[];
  readonly infrastructure: Pick<Infrastructure, "pool" | "now" | "newId" | "secrets">;
  readonly settings: CurrentSettings;
};

/** Clerk if its keys are set, else the sandbox's sign-in. One verifier reads the tokens of both. */
async function reachIdentity(parts: Parts): Promise<ReachedIdentity> {
  const { keys, publicUrl, adminUsernames, infrastructure, settings } = parts;
  const endedSessions = createEndedSessions(infrastructure.pool, infrastructure.now);
  const common = { ended: endedSessions, adminUsernames, grants: () => settings.current().grants };
  if (keys !== undefined) {
    const { jwtKey, issuer, authorizedParties, audiences, secretKey } = keys;
    return {
      identify: createIdentify({ ...common, publicKeyPem: jwtKey, issuer, authorizedParties, audiences }),
      identity: createClerkIdentity({ secretKey }),
      endedSessions,
      sandboxIdentity: undefined,
    };
  }
  const { privateKeyPem, publicKeyPem } = await infrastructure.secrets.rsaKeyPair("sandbox-identity");
  const { pagesSecret } = sandboxKeysOf(await infrastructure.secrets.secret("sandbox"));
  await createSandboxSchema(infrastructure.pool);
  const provider = createSandboxIdentity({
    pool: infrastructure.pool,
    issueToken: createSandboxTokens({ privateKeyPem, authorizedParty: publicUrl, now: infrastructure.now }),
    newId: infrastructure.newId,
  });
  return {
    identify: createIdentify({
      ...common,
      publicKeyPem,
      issuer: sandboxIssuer,
      authorizedParties: [publicUrl],
      audiences: [],
    }),
    identity: provider,
    endedSessions,
    sandboxIdentity: { provider, fromHere: createFromHere({ publicUrl, secret: pagesSecret }) },
  };
}
