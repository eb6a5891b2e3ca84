/** Port of the identity provider. Token verification does not need it. */
export type IdentityProvider = {
  /** Names of known users, by user id. @throws when it cannot be reached */
  readonly namesOf: (userIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Ends a session, so it issues no more tokens. Ending an ended session changes nothing. */
  readonly endSession: (sessionId: string) => Promise<void>;
  readonly endSessionsOf: (userId: string) => Promise<void>;
};

/** The provider failed; retrying later may help. Carries no name and no id of a person. */
export class IdentityUnavailable extends Error {
  override name = "IdentityUnavailable";
  readonly code: "timeout" | "unreachable" | "fault" | "rateLimited" | "keyRefused" | "circuitOpen";
  /** Identifies the request to the provider's support. */
  readonly traceId: string | undefined;
  constructor(code: IdentityUnavailable["code"], traceId?: string) {
    super(
      code === "keyRefused"
        ? "The identity provider refuses our key: correct CLERK_SECRET_KEY."
        : `The identity provider does not answer: ${code}.`,
    );
    this.code = code;
    this.traceId = traceId;
  }
}
