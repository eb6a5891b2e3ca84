import { type Config, ConfigurationError } from "../infra/config.ts";
import type { Ground } from "./ground.ts";
import { createEndedSessions, type EndedSessions } from "./identity/ended-sessions.ts";
import { createSandboxIdentity, type SandboxIdentity } from "./identity/sandbox-identity.ts";
import { createSandboxTokens, sandboxIssuer } from "./identity/sandbox-tokens.ts";
import { createIdentify, type Identify } from "./identity/session-token.ts";
import type { Mailer } from "./mail/mailer.ts";
import { createSmtpMailer } from "./mail/smtp-mailer.ts";
import type { Payments } from "./payments/payments.ts";
import { createStripePayments } from "./payments/stripe-payments.ts";
import { createSandbox, type Sandbox } from "./sandbox/sandbox.ts";
import type { CurrentSettings } from "./settings/settings.ts";
import type { Automation } from "./submission/automation.ts";
import { createAutomationClient } from "./submission/automation-client.ts";

/** Everyone we deal with: card provider, automation service, mail server, identity provider. */
export type OutsideWorld = {
  payments: Payments;
  automation: Automation;
  mailer: Mailer;
  identify: Identify;
  publishableKey: string;
  cardOrigin: string;
  sandbox: Sandbox;
  endedSessions: EndedSessions;
  identity: SandboxIdentity;
};

/** @throws ConfigurationError in production, unless the sandbox was asked for */
export function refuseSandboxInProduction(config: Config): void {
  if (config.NODE_ENV !== "production" || config.ALLOW_SANDBOX) return;
  throw new ConfigurationError(
    "NODE_ENV is production, but all providers are the sandbox's: nothing would be charged or submitted. Set ALLOW_SANDBOX to 1 if that is what you want.",
  );
}

/** Reaches the outside world, which is a sandbox until real providers can be configured. */
export async function reachOutside(
  config: Config,
  publicUrl: string,
  ground: Ground,
  settings: CurrentSettings,
  closing: AsyncDisposableStack,
): Promise<OutsideWorld> {
  const { pool, secrets, now, newId, random, log } = ground;
  const sandbox = createSandbox({
    pool,
    installationSecret: await secrets.secret("sandbox"),
    cardPort: config.SANDBOX_CARD_PORT,
    cardHost: config.HOST,
    publicUrl,
    now,
    newId,
    random,
    log,
  });
  const { stripe, automation, smtp, cardOrigin } = await sandbox.start();
  closing.defer(() => sandbox.stop());
  const from = () => {
    const { tradingName, supportEmail } = settings.current().company;
    return { name: tradingName, address: supportEmail };
  };
  const mailer = closing.adopt(createSmtpMailer({ ...smtp, from }), (open) => open.close());
  const { privateKeyPem, publicKeyPem } = await secrets.rsaKeyPair("sandbox-identity");
  const endedSessions = createEndedSessions(pool, now);
  return {
    payments: createStripePayments({ ...stripe, now }),
    automation: createAutomationClient({ ...automation, now, newId }),
    mailer,
    identify: createIdentify({
      ended: endedSessions,
      publicKeyPem,
      issuer: sandboxIssuer,
      authorizedParties: [publicUrl],
      adminUsernames: config.ADMIN_USERNAMES,
      grants: () => settings.current().grants,
    }),
    publishableKey: stripe.publishableKey,
    cardOrigin,
    sandbox,
    endedSessions,
    identity: createSandboxIdentity({
      pool,
      issueToken: createSandboxTokens({ privateKeyPem, authorizedParty: publicUrl, now }),
      newId,
    }),
  };
}
