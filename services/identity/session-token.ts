import { verifyToken } from "@clerk/backend";
import { z } from "zod";
import { staffId } from "../../domain/fields.ts";
import { type Grant, type StaffRole, staffRole } from "../../domain/settings/vocabulary.ts";
import type { EndedSessions, SessionOfToken } from "./ended-sessions.ts";

export const role = staffRole;
export type Role = StaffRole;

/** A token's role claim: the provider's public metadata, which only its operator can write. */
const claimedRole = z.object({ role });

/**
 * The role of a verified session. A name in ADMIN_USERNAMES takes precedence over a revocation, then a grant, then the
 * token's own claim. Names are compared whole, because anyone can choose part of a name.
 * @param claims.metadata `{ role }`; anything else claims nothing
 */
function roleOf(
  claims: { username?: string | undefined; metadata?: unknown },
  adminUsernames: readonly string[],
  grant?: Grant,
): Role | undefined {
  if (claims.username !== undefined && adminUsernames.includes(claims.username)) return "manager";
  if (grant !== undefined) return grant === "revoked" ? undefined : grant;
  const given = claimedRole.safeParse(claims.metadata);
  return given.success ? given.data.role : undefined;
}

/** The user of a verified session. `userId` is the provider's opaque id; `role` is undefined for a customer. */
type SignedIn = {
  readonly userId: string;
  readonly role: Role | undefined;
  readonly session: SessionOfToken;
};

/** Identifies the user of a bearer token; undefined when it proves nothing. */
export type Identify = (bearerToken: string) => Promise<SignedIn | undefined>;

/** Allowed clock difference from the provider, either way. A token lives a minute, and so five seconds more. */
const clockSkewMs = 5_000;

// verifyToken checks the signature, the times and `azp`, but neither the issuer, nor that there is a session, nor that
// the session has finished its sign-in tasks, nor (unless configured) the audience.
const sessionClaims = z.object({
  iss: z.string(),
  // Becomes the actor of events, which must be an opaque id.
  sub: staffId,
  sid: staffId,
  iat: z.int().min(0),
  sts: z.literal("active"),
  // Session tokens have none unless the operator adds it; tokens for other programs do.
  aud: z.union([z.string().transform((one) => [one]), z.array(z.string())]).optional(),
  // Null if the provider's user has none.
  username: z
    .string()
    .nullish()
    .transform((name) => name ?? undefined),
  metadata: z.unknown().optional(),
});

/**
 * Verifies session tokens without a call to the provider.
 * @param options.ended checked for each token, because a token outlives its session by up to a minute
 * @param options.publicKeyPem the provider's key; literal `\n`, common in environment variables, is converted
 * @param options.authorizedParties origins whose pages may have requested the token (`azp`)
 * @param options.audiences accepted audiences (`aud`); a token for others only is refused
 * @param options.grants current role settings by user id, read for each token, so a revocation takes effect at once
 */
export function createIdentify(options: {
  ended: Pick<EndedSessions, "hasEnded">;
  publicKeyPem: string;
  issuer: string;
  authorizedParties: readonly string[];
  audiences: readonly string[];
  adminUsernames: readonly string[];
  grants: () => ReadonlyMap<string, Grant>;
}): Identify {
  const jwtKey = options.publicKeyPem.replaceAll("\\n", "\n");
  return async (bearerToken) => {
    const verified = await verifyToken(bearerToken, {
      jwtKey,
      authorizedParties: [...options.authorizedParties],
      clockSkewInMs: clockSkewMs,
    }).catch(() => undefined);
    const claims = sessionClaims.safeParse(verified);
    if (!claims.success || claims.data.iss !== options.issuer) return undefined;
    const { sub, sid, iat, aud } = claims.data;
    if (aud && !aud.some((named) => options.audiences.includes(named))) return undefined;
    const session = { userId: sub, sessionId: sid, issuedAtSeconds: iat };
    if (await options.ended.hasEnded(session)) return undefined;
    const userId = claims.data.sub;
    return {
      session,
      userId,
      role: roleOf(claims.data, options.adminUsernames, options.grants().get(userId)),
    };
  };
}
