import { EventStoreDBClient } from "@eventstore/db-client";
import { OperatorFault } from "../operator-fault.ts";

/** One connection to a server, shared by the stores of this process. */
export type SharedClient = {
  client: EventStoreDBClient;
  /** To be given to each append: see 0155. Without TLS the client sends none. */
  credentials: { username: string; password: string };
  release(): Promise<void>;
};

type Shared = { client: EventStoreDBClient; users: number };

const shared = new Map<string, Shared>();
const nobody = { username: "nobody", password: "none" };

/**
 * The client of this process for a server; the last to release it ends it.
 * @throws OperatorFault for an address that the client does not understand, or one with TLS and without user and password
 */
export function shareClient(url: string): SharedClient {
  const entry = shared.get(url) ?? { client: connect(url), users: 0 };
  shared.set(url, entry);
  entry.users += 1;
  let released = false;
  return {
    client: entry.client,
    credentials: credentialsOf(url) ?? nobody,
    async release() {
      if (released) return;
      released = true;
      entry.users -= 1;
      if (entry.users > 0) return;
      shared.delete(url);
      await entry.client.dispose();
    },
  };
}

/** The sentence never holds the address: it may hold a password. */
function connect(url: string): EventStoreDBClient {
  const isPlain = /[?&]tls=false\b/i.test(url);
  if (!isPlain && !credentialsOf(url))
    throw new OperatorFault(
      "EVENTSTORE_URL names no user: write it as esdb://user:password@host:2113, or add ?tls=false for a server without TLS.",
    );
  try {
    return EventStoreDBClient.connectionString(url);
  } catch (cause) {
    throw new OperatorFault(
      "EVENTSTORE_URL is not understood: write it as esdb://user:password@host:2113, or esdb://one:2113,two:2113,three:2113?nodePreference=leader for a cluster.",
      { cause },
    );
  }
}

function credentialsOf(url: string): { username: string; password: string } | undefined {
  const [, username, password] = /^[^:]+:\/\/([^:@/]+):([^@/]+)@/.exec(url) ?? [];
  if (username === undefined || password === undefined) return undefined;
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}
