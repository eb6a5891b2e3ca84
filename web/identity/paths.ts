/** The gateway's routes about who is signed in, and those of the sandbox's sign-in. Apart from the public ones: visitors load none. */
export const identityApi = {
  me: "/api/me",
  signOut: "/api/me/sign-out",
  signOutEverywhere: "/api/me/sign-out-everywhere",
} as const;

/** What the sandbox's sign-in answers to. */
export const sandboxIdentityApi = {
  persons: "/sandbox/identity/persons",
  signIn: "/sandbox/identity/sign-in",
  token: "/sandbox/identity/session-token",
  signOut: "/sandbox/identity/sign-out",
} as const;
