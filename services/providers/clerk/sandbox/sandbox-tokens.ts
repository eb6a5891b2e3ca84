import { createHash } from "node:crypto";
import { importPKCS8, SignJWT } from "jose";
import type { Role } from "../../../identity/roles.ts";

/** A person known to the sandbox's sign-in; without a role, a customer. */
export type SandboxPerson = { readonly username: string; readonly role: Role | undefined };

/** Invented people for the sandbox: two in each role that needs a second person. */
export const preparedPeople: readonly SandboxPerson[] = [
  { username: "Robin Ellis", role: "staff" },
  { username: "Sam Okafor", role: "staff" },
  { username: "Morgan Hughes", role: "manager" },
  { username: "Jules Hart", role: "manager" },
  { username: "Casey Lindqvist", role: "compliance" },
  { username: "Taylor Price", role: undefined },
];

/** The same name gives the same user id. The id reveals nothing, since it is stored in the event log. */
export const userIdOf = (username: string): string =>
  `user_${createHash("sha256").update(`sandbox-user\n${username}`).digest("hex").slice(0, 24)}`;

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
