import { randomUUID } from "node:crypto";
import gossip from "@eventstore/db-client/generated/gossip_pb.js";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import type { handleUnaryCall } from "@grpc/grpc-js";
import type { FakeParts } from "./peer-appends.ts";

const { LEADER, UNKNOWN } = gossip.MemberInfo.VNodeState;

/** The cluster as seen by this node: the others are gone, and it leads unless `leaderless` is set. */
export function clusterInfo(parts: FakeParts): handleUnaryCall<shared.Empty, gossip.ClusterInfo> {
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
