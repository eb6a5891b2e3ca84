import { importPKCS8, SignJWT } from "jose";
import { type SandboxPerson, userIdOf } from "./sandbox-people.ts";

export const sandboxIssuer = "https://identity.sandbox.invalid";
const lifetimeSeconds = 60;

/**
 * Issues session tokens in the identity provider's format, valid for 60 seconds, signed with this installation's keys.
 */
export type IssueSandboxToken = (person: SandboxPerson, sessionId: string) => Promise<string>;

/** @param options.authorizedParty origin of the requesting page, becomes `azp` */
export function createSandboxTokens(options: {
  privateKeyPem: string;
  authorizedParty: string;
  now: () => Date;
}): IssueSandboxToken {
  const key = importPKCS8(options.privateKeyPem, "RS256");
  return async ({ username, role }, sessionId) => {
    const issuedAt = Math.floor(options.now().getTime() / 1000);
    return new SignJWT({
      sid: sessionId,
      sts: "active",
      azp: options.authorizedParty,
      username,
      metadata: role ? { role } : {},
    })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: "sandbox" })
      .setIssuer(sandboxIssuer)
      .setSubject(userIdOf(username))
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(await key);
  };
}
