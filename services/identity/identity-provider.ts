/** What we ask of whoever signs people in, besides verifying their tokens, which needs nobody. */
export type IdentityProvider = {
  /** Names by user id, of those it knows. @throws when it cannot be reached */
  readonly namesOf: (userIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Ends a session, so that it gives no more tokens. One that is over already stays so. */
  readonly endSession: (sessionId: string) => Promise<void>;
  readonly endSessionsOf: (userId: string) => Promise<void>;
};

/** The provider did not do what it was asked; trying again later may help. Carries no name and no id of a person. */
export class IdentityUnavailable extends Error {
  override name = "IdentityUnavailable";
  readonly code: "timeout" | "unreachable" | "fault" | "rateLimited" | "keyRefused" | "circuitOpen";
  /** What the provider's support finds the request by. */
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
