import { type IdentityProvider, IdentityUnavailable } from "./identity-provider.ts";

/** Names of the people who work here, for pages. Events, logs and read models hold the opaque id alone. */
export type Directory = {
  /** A name, or the short form of the id where there is none. */
  readonly nameOf: (userId: string) => Promise<string>;
  /** The same for many at once: answers how to look each up. */
  readonly namesOf: (userIds: readonly string[]) => Promise<(userId: string) => string>;
};

/** The last six signs of an opaque id: enough to tell the people of a page apart. */
export const shortIdOf = (userId: string): string => `user …${userId.slice(-6)}`;

/** Where it is told that names cannot be had. */
type TroubleLog = Readonly<Record<"warn" | "error", (facts: object, words: string) => void>>;

/** A page is not kept back because the provider cannot say a name. */
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

/** A key that is refused mends itself by no waiting: somebody has to. */
function report(log: TroubleLog, error: unknown): void {
  const code = error instanceof IdentityUnavailable ? error.code : undefined;
  const traceId = error instanceof IdentityUnavailable ? error.traceId : undefined;
  const facts = { fault: error instanceof Error ? error.name : "unknown", code, traceId };
  if (code === "keyRefused") log.error(facts, "the identity provider refuses our key");
  else log.warn(facts, "no names of staff");
}
