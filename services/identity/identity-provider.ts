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

/** Names of staff, for pages. Events, logs and read models hold only the opaque id. */
export type Directory = {
  readonly nameOf: (userId: string) => Promise<string>;
  /** Looks up many at once. @returns a function from id to name */
  readonly namesOf: (userIds: readonly string[]) => Promise<(userId: string) => string>;
};

/** The last six characters of an opaque id: enough to distinguish the people on a page. */
const shortIdOf = (userId: string): string => `user …${userId.slice(-6)}`;

type TroubleLog = Readonly<Record<"warn" | "error", (facts: object, words: string) => void>>;

/** A failure to get a name never delays a page. */
export function createDirectory(provider: Pick<IdentityProvider, "namesOf">, log: TroubleLog): Directory {
  const namesOf: Directory["namesOf"] = async (userIds) => {
    const names = await provider.namesOf([...new Set(userIds)]).catch((error: unknown) => {
      report(log, error);
      return new Map<string, string>();
    });
    return (userId) => names.get(userId) ?? shortIdOf(userId);
  };
  return { namesOf, nameOf: async (userId) => (await namesOf([userId]))(userId) };
}

/** A refused key needs an operator; waiting does not help. */
function report(log: TroubleLog, error: unknown): void {
  const code = error instanceof IdentityUnavailable ? error.code : undefined;
  const traceId = error instanceof IdentityUnavailable ? error.traceId : undefined;
  const facts = { fault: error instanceof Error ? error.name : "unknown", code, traceId };
  if (code === "keyRefused") log.error(facts, "the identity provider refuses our key");
  else log.warn(facts, "names of staff are unavailable");
}
