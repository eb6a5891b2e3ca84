import type { RequestHandler } from "express";
import type { ProviderSettings } from "../../infra/config/provider-settings.ts";
import type { Infrastructure } from "../composition/infrastructure.ts";
import { createClerkIdentity } from "../providers/clerk/clerk-identity.ts";
import {
  createSandboxIdentity,
  createSandboxTokens,
  type SandboxIdentity,
  sandboxIssuer,
} from "../providers/clerk/sandbox/sandbox-identity.ts";
import { sandboxKeysOf } from "../providers/sandbox/addresses.ts";
import { createFromHere } from "../providers/sandbox/from-here.ts";
import { createSandboxSchema } from "../providers/sandbox/schema.ts";
import type { CurrentSettings } from "../settings/settings.ts";
import { createEndedSessions, type EndedSessions } from "./ended-sessions.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { createIdentify, type Identify } from "./session-token.ts";

export type ReachedIdentity = {
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
export async function reachIdentity(parts: Parts): Promise<ReachedIdentity> {
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
