import { EventStoreDBClient } from "@eventstore/db-client";
import { OperatorError } from "../../process/operator-error.ts";
import { EventStoreUnreachable } from "../event-store.ts";
import { foundNoNode } from "./kurrent-errors.ts";

/** One connection to a server, shared by the stores of this process. */
export type SharedClient = {
  client: EventStoreDBClient;
  /** Given to each append (see README.md). Not sent without TLS. */
  credentials: { username: string; password: string };
  release(): Promise<void>;
};

type Shared = { client: EventStoreDBClient; users: number };

const shared = new Map<string, Shared>();
const anonymous = { username: "nobody", password: "none" };

/**
 * This process's client for a server; the last user to release it closes it.
 * @throws OperatorError for an invalid address, or one with TLS but without user and password
 */
export function shareClient(url: string): SharedClient {
  const entry = shared.get(url) ?? { client: connect(url), users: 0 };
  shared.set(url, entry);
  entry.users += 1;
  let released = false;
  return {
    client: entry.client,
    credentials: credentialsOf(url) ?? anonymous,
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

/** The error never repeats the address: it may hold a password. */
function connect(url: string): EventStoreDBClient {
  const isPlain = /[?&]tls=false\b/i.test(url);
  if (!isPlain && !credentialsOf(url))
    throw new OperatorError(
      "EVENTSTORE_URL names no user: write it as esdb://user:password@host:2113, or add ?tls=false for a server without TLS.",
    );
  try {
    return letLive(EventStoreDBClient.connectionString(url));
  } catch (cause) {
    if (cause instanceof Error && /^Failed to load certificate/.test(cause.message))
      throw new OperatorError(
        "EVENTSTORE_URL names a file with a certificate or a key that is not there: set tlsCaFile (or userCertFile, userKeyFile) to the right path.",
        { cause },
      );
    throw new OperatorError(
      "EVENTSTORE_URL is not understood: write it as esdb://user:password@host:2113, or esdb://one:2113,two:2113,three:2113?nodePreference=leader for a cluster.",
      { cause },
    );
  }
}

/** A gRPC channel state. */
const shutDown = 4;
/** Protected by the client's types, not by its code. */
const inner = { afterFailure: "handleError", call: "execute" } as const;

/**
 * Keeps two unhandled promises of the client (6.2.1) from ending the process. After a failed call it asks for its
 * channel, which another call may be opening: while a cluster has no leader, that fails. And an append that starts just
 * as its channel closes throws inside a promise's executor and never resolves. Any other error of theirs still ends the
 * process.
 */
function letLive(client: EventStoreDBClient): EventStoreDBClient {
  const afterFailure = client[inner.afterFailure];
  const call = client[inner.call];
  client[inner.afterFailure] = (service, error) =>
    afterFailure(service, error).catch((fault: unknown) => {
      // The call that opens the channel fails with the same error.
      if (!foundNoNode(fault)) throw fault;
    });
  client[inner.call] = (Service, name, action) =>
    call(Service, name, async (service) => {
      if (service.getChannel().getConnectivityState(false) === shutDown)
        throw new EventStoreUnreachable("Channel has been shut down");
      return action(service);
    });
  return client;
}

function credentialsOf(url: string): { username: string; password: string } | undefined {
  const [, username, password] = /^[^:]+:\/\/([^:@/]+):([^@/]+)@/.exec(url) ?? [];
  if (username === undefined || password === undefined) return undefined;
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}
