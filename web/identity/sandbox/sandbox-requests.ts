/** What the sandbox's sign-in answers to. */
export const sandboxIdentityApi = {
  persons: "/sandbox/identity/persons",
  signIn: "/sandbox/identity/sign-in",
  token: "/sandbox/identity/session-token",
  signOut: "/sandbox/identity/sign-out",
} as const;

/**
 * Calls the sandbox's sign-in, which is the provider's side and not our API: its session cookie alone says who it is.
 * @throws TypeError when nothing answers
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

/** Tells that somebody has signed in on the sandbox's page. */
export const signIns = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  happened(): void {
    for (const listener of listeners) listener();
  },
};
