/** Sources of hints about the user's identity; passed in for tests of their order. */
interface HintSources {
  /** `document.cookie`. */
  cookies: string;
  /** Reads `localStorage`. */
  stored: (key: string) => string | null;
  /** The page's query string. */
  query: URLSearchParams;
}

/** Headers to send, and values to store. Unverified hints for the log: the server grants nothing for them. */
interface CredentialHints {
  headers: Record<string, string>;
  /** A user id found in the URL, to be stored and removed from it. */
  userIdFromAddress: string | null;
  /** Also written to a cookie of 86400 s, path /, SameSite=Lax. */
  userIdForCookie: string | null;
}

/** Storage keys of the hints, named after the sign-in provider. */
export const hintNames = {
  developmentCookie: "__clerk_db_jwt",
  storageKey: "clerk-user-id",
  cookie: "clerk-user-id",
  header: "X-Clerk-User-Id",
  query: "clerk_user_id",
  debugHeader: "X-Debug-Info",
} as const;

/** Looks for a development token, then a stored user id, then one in the URL; the debug header says which it found. */
export function credentialHints(sources: HintSources): CredentialHints {
  const token = cookieValue(sources.cookies, hintNames.developmentCookie);
  if (token !== null) {
    return {
      headers: { Authorization: `Bearer ${token}`, [hintNames.debugHeader]: "development-token" },
      userIdFromAddress: null,
      userIdForCookie: null,
    };
  }
  const stored = sources.stored(hintNames.storageKey);
  if (stored) return hintOf(stored, "stored-user-id", null);
  const given = sources.query.get(hintNames.query);
  if (given) return hintOf(given, "user-id-in-address", given);
  return {
    headers: { [hintNames.debugHeader]: "no-credentials" },
    userIdFromAddress: null,
    userIdForCookie: null,
  };
}

function hintOf(userId: string, found: string, fromAddress: string | null): CredentialHints {
  return {
    headers: {
      [hintNames.header]: userId,
      Authorization: `Bearer clerk-${userId}`,
      [hintNames.debugHeader]: found,
    },
    userIdFromAddress: fromAddress,
    userIdForCookie: userId,
  };
}

function cookieValue(cookies: string, name: string): string | null {
  for (const pair of cookies.split(";")) {
    const [key, ...value] = pair.trim().split("=");
    if (key === name && value.length > 0) return value.join("=");
  }
  return null;
}
