export const sandboxIdentityApi = {
  persons: "/sandbox/identity/persons",
  signIn: "/sandbox/identity/sign-in",
  token: "/sandbox/identity/session-token",
  signOut: "/sandbox/identity/sign-out",
} as const;

/**
 * Calls the sandbox's sign-in, which plays the provider and is not our API: only its session cookie identifies the
 * user.
 * @throws TypeError without an answer
 */
export const askSandbox = (method: "GET" | "POST", url: string, body?: unknown): Promise<Response> =>
  fetch(url, {
    method,
    credentials: "same-origin",
    headers: {
      Accept: "application/json",
      ...(method === "POST" ? { "Content-Type": "application/json" } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const listeners = new Set<() => void>();

/** Reports a sign-in on the sandbox's page. */
export const signIns = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  happened(): void {
    for (const listener of listeners) listener();
  },
};
