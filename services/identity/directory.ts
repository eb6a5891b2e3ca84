import type { Log } from "../../infra/log.ts";
import type { IdentityProvider } from "./identity-provider.ts";

/** Names of the people who work here, for pages. Events, logs and read models hold the opaque id alone. */
export type Directory = {
  /** A name, or the short form of the id where there is none. */
  readonly nameOf: (userId: string) => Promise<string>;
  /** The same for many at once: answers how to look each up. */
  readonly namesOf: (userIds: readonly string[]) => Promise<(userId: string) => string>;
};

/** The last six signs of an opaque id: enough to tell the people of a page apart. */
export const shortIdOf = (userId: string): string => `user …${userId.slice(-6)}`;

/** A page is not kept back because the provider cannot say a name. */
export function createDirectory(
  provider: Pick<IdentityProvider, "namesOf">,
  log: Pick<Log, "warn">,
): Directory {
  const namesOf: Directory["namesOf"] = async (userIds) => {
    const names = await provider.namesOf([...new Set(userIds)]).catch((error: unknown) => {
      log.warn({ fault: error instanceof Error ? error.name : "unknown" }, "no names of staff");
      return new Map<string, string>();
    });
    return (userId) => names.get(userId) ?? shortIdOf(userId);
  };
  return { namesOf, nameOf: async (userId) => (await namesOf([userId]))(userId) };
}
