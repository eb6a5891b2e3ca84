/** What we ask of whoever signs people in, besides verifying their tokens, which needs nobody. */
export type IdentityProvider = {
  /** Names by user id, of those it knows. @throws when it cannot be reached */
  readonly namesOf: (userIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Ends a session, so that it gives no more tokens. One that is over already stays so. */
  readonly endSession: (sessionId: string) => Promise<void>;
  readonly endSessionsOf: (userId: string) => Promise<void>;
};
