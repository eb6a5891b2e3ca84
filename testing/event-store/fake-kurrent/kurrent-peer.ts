import { randomUUID } from "node:crypto";
import gossipService from "@eventstore/db-client/generated/gossip_grpc_pb.js";
import gossip from "@eventstore/db-client/generated/gossip_pb.js";
import featuresService from "@eventstore/db-client/generated/serverfeatures_grpc_pb.js";
import features from "@eventstore/db-client/generated/serverfeatures_pb.js";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import streamsService from "@eventstore/db-client/generated/streams_grpc_pb.js";
import { type handleUnaryCall, Server, ServerCredentials, status } from "@grpc/grpc-js";
import { appendBatches, appendOnce, broken, type FakeParts } from "./peer-appends.ts";
import { FakeFaults } from "./peer-faults.ts";
import { FakeLog } from "./peer-log.ts";
import { read } from "./peer-reads.ts";
import type { FakeSubscription } from "./peer-subscription.ts";

/** A fake server for the event store's client: speaks its protocol, but is not for production. */
export type FakeEventStoreDb = {
  /** For the client. */
  url: string;
  port: number;
  faults: FakeFaults;
  log: FakeLog;
  /** Breaks every subscription, like a network failure. */
  cutSubscriptions(): void;
  /** Drops every subscription, as the server does with a client that does not read. */
  dropSubscriptions(): void;
  /** Silences every subscription, as after a restart of the server. */
  silenceSubscriptions(): void;
  /** Number of open subscriptions. */
  open(): number;
  /** How often a client asked for the leader. */
  searches(): number;
  /** How many records preceded each subscription's start. */
  starts(): readonly number[];
  /** Stops it at once, with every connection. */
  stop(): Promise<void>;
};

type FakeOptions = {
  /** Keeps the log over restarts; in memory by default. */
  file?: string;
  /** Any free one by default. */
  port?: number;
  /** Certificate and key, both in PEM, for TLS; any user is accepted. */
  tls?: { cert: string; key: string };
};

export async function startFakeEventStoreDb(options: FakeOptions = {}): Promise<FakeEventStoreDb> {
  const log = new FakeLog(options.file);
  const faults = new FakeFaults();
  const ending = new AbortController();
  const subscriptions = new Set<FakeSubscription>();
  const parts: FakeParts = { log, faults, ended: ending.signal, starts: [], searches: 0 };
  const server = new Server();
  server.addService(featuresService.ServerFeaturesService, { getSupportedMethods });
  server.addService(gossipService.GossipService, { read: clusterInfo(parts) });
  server.addService(streamsService.StreamsService, {
    append: appendOnce(parts),
    batchAppend: appendBatches(parts),
    read: read(parts, subscriptions),
    delete: notHere,
    tombstone: notHere,
  });
  const port = await listen(server, options);
  return {
    url: options.tls ? `esdb://ann:none@localhost:${port}` : `esdb://127.0.0.1:${port}?tls=false`,
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
    searches: () => parts.searches,
    starts: () => parts.starts,
    async stop() {
      ending.abort();
      faults.freeze(false);
      server.forceShutdown();
      log.close();
    },
  };
}

function listen(server: Server, { port = 0, tls }: FakeOptions): Promise<number> {
  const credentials = tls
    ? ServerCredentials.createSsl(null, [
        { cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) },
      ])
    : ServerCredentials.createInsecure();
  return new Promise((done, fail) => {
    server.bindAsync(`127.0.0.1:${port}`, credentials, (error, taken) => (error ? fail(error) : done(taken)));
  });
}

const getSupportedMethods: handleUnaryCall<unknown, features.SupportedMethods> = (_call, answer) => {
  const methods = ["append", "batchappend", "read"].map((name) =>
    new features.SupportedMethod().setServiceName("event_store.client.streams.streams").setMethodName(name),
  );
  answer(null, new features.SupportedMethods().setEventStoreServerVersion("peer").setMethodsList(methods));
};

const notHere: handleUnaryCall<unknown, never> = (_call, answer) =>
  answer({ code: status.UNIMPLEMENTED, details: "The fake server does not delete streams." });

const { LEADER, UNKNOWN } = gossip.MemberInfo.VNodeState;

/** The cluster as seen by this node: the others are gone, and it leads unless `leaderless` is set. */
function clusterInfo(parts: FakeParts): handleUnaryCall<shared.Empty, gossip.ClusterInfo> {
  const { faults, ended } = parts;
  const instanceId = new shared.UUID().setString(randomUUID());
  return async (call, answer) => {
    parts.searches += 1;
    await faults.untilThawed(ended);
    if (ended.aborted) return;
    const [address = "", port = ""] = call.getHost().split(":");
    const member = new gossip.MemberInfo()
      .setInstanceId(instanceId)
      .setTimeStamp(String(Date.now()))
      .setState(faults.leaderless ? UNKNOWN : LEADER)
      .setIsAlive(true)
      .setHttpEndPoint(new gossip.EndPoint().setAddress(address).setPort(Number(port)));
    answer(null, new gossip.ClusterInfo().setMembersList([member]));
  };
}
