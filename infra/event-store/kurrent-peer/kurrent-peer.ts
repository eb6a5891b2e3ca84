import featuresService from "@eventstore/db-client/generated/serverfeatures_grpc_pb.js";
import features from "@eventstore/db-client/generated/serverfeatures_pb.js";
import streamsService from "@eventstore/db-client/generated/streams_grpc_pb.js";
import { type handleUnaryCall, Server, ServerCredentials, status } from "@grpc/grpc-js";
import { appendBatches, appendOnce, broken, type PeerParts } from "./peer-appends.ts";
import { PeerFaults } from "./peer-faults.ts";
import { PeerLog } from "./peer-log.ts";
import { read } from "./peer-reads.ts";
import type { PeerSubscription } from "./peer-subscription.ts";

/** A peer for the event store's client: it speaks the server's protocol and is no server for production. */
export type KurrentPeer = {
  /** For the client. */
  url: string;
  port: number;
  faults: PeerFaults;
  log: PeerLog;
  /** Breaks every subscription, as a network does. */
  cutSubscriptions(): void;
  /** Drops every subscription, as the server does with one that does not read. */
  dropSubscriptions(): void;
  /** Lets every subscription go dead without saying so, as after a restart of the server. */
  silenceSubscriptions(): void;
  /** Open subscriptions. */
  open(): number;
  /** How many records lay before each subscription that was ever opened. */
  starts(): readonly number[];
  /** Ends it at once, with every connection. */
  stop(): Promise<void>;
};

/** @param options.file keeps the log over restarts; without one it is in memory. Port 0 takes any free one. */
export async function startKurrentPeer(options: { file?: string; port?: number } = {}): Promise<KurrentPeer> {
  const log = new PeerLog(options.file);
  const faults = new PeerFaults();
  const ending = new AbortController();
  const subscriptions = new Set<PeerSubscription>();
  const parts: PeerParts = { log, faults, ended: ending.signal, starts: [] };
  const server = new Server();
  server.addService(featuresService.ServerFeaturesService, { getSupportedMethods });
  server.addService(streamsService.StreamsService, {
    append: appendOnce(parts),
    batchAppend: appendBatches(parts),
    read: read(parts, subscriptions),
    delete: notHere,
    tombstone: notHere,
  });
  const port = await listen(server, options.port ?? 0);
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    port,
    faults,
    log,
    cutSubscriptions() {
      for (const subscription of subscriptions) subscription.break(broken);
    },
    dropSubscriptions() {
      for (const subscription of subscriptions) subscription.drop();
    },
    silenceSubscriptions() {
      for (const subscription of subscriptions) subscription.fallSilent();
    },
    open: () => subscriptions.size,
    starts: () => parts.starts,
    async stop() {
      ending.abort();
      faults.freeze(false);
      server.forceShutdown();
      log.close();
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, taken) =>
      error ? fail(error) : done(taken),
    );
  });
}

const getSupportedMethods: handleUnaryCall<unknown, features.SupportedMethods> = (_call, answer) => {
  const methods = ["append", "batchappend", "read"].map((name) =>
    new features.SupportedMethod().setServiceName("event_store.client.streams.streams").setMethodName(name),
  );
  answer(null, new features.SupportedMethods().setEventStoreServerVersion("peer").setMethodsList(methods));
};

const notHere: handleUnaryCall<unknown, never> = (_call, answer) =>
  answer({ code: status.UNIMPLEMENTED, details: "The peer deletes no streams." });
