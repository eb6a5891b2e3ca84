import { createHash } from "node:crypto";
import { importPKCS8, SignJWT } from "jose";
import { z } from "zod";
import { role } from "./roles.ts";

/** Who signs in to the sandbox: any name, and the role it claims. */
export const sandboxSignIn = z.object({
  username: z.string().trim().min(1, "Username is required").max(100),
  role: role.optional(),
});

export const sandboxIssuer = "https://identity.sandbox.invalid";
const lifetimeSeconds = 60;

/** Makes session tokens in the identity provider's shape, good for 60 seconds, from keys of this installation. */
export type IssueSandboxToken = (signIn: z.output<typeof sandboxSignIn>) => Promise<string>;

/** @param options.authorizedParty origin of the page that asks, which becomes `azp` */
export function createSandboxTokens(options: {
  privateKeyPem: string;
  authorizedParty: string;
  now: () => Date;
  newId: () => string;
}): IssueSandboxToken {
  const key = importPKCS8(options.privateKeyPem, "RS256");
  return async (signIn) => {
    const issuedAt = Math.floor(options.now().getTime() / 1000);
    return new SignJWT({
      sid: `sess_${options.newId().replaceAll("-", "")}`,
      sts: "active",
      azp: options.authorizedParty,
      username: signIn.username,
      ...(signIn.role && { role: signIn.role }),
    })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: "sandbox" })
      .setIssuer(sandboxIssuer)
      .setSubject(userIdOf(signIn.username))
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(await key);
  };
}

// The same name is the same user, and the id says nothing: it ends up in the log of events.
function userIdOf(username: string): string {
  return `user_${createHash("sha256").update(`sandbox-user\n${username}`).digest("hex").slice(0, 24)}`;
}
