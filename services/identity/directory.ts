import { type IdentityProvider, IdentityUnavailable } from "./identity-provider.ts";

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
