/** What the sandbox's sign-in answers to. */
export const sandboxIdentityApi = {
  persons: "/sandbox/identity/persons",
  signIn: "/sandbox/identity/sign-in",
  token: "/sandbox/identity/session-token",
  signOut: "/sandbox/identity/sign-out",
} as const;
