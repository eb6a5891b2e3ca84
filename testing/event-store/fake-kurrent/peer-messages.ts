import shared from "@eventstore/db-client/generated/shared_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { FakeEvent, FakeExpected, FakeRecord } from "./peer-log.ts";

const ticksPerMs = 10_000n;

export function streamName(identifier: shared.StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString("utf8");
}

export function streamIdentifier(name: string): shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(name).toString("base64"));
}

type Proposed = streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage;

export function proposedEvent(message: Proposed): FakeEvent {
  const properties = message.getMetadataMap();
  return {
    id: message.getId()?.getString() ?? "",
    type: properties.get("type") ?? "",
    contentType: properties.get("content-type") ?? "application/octet-stream",
    data: message.getData_asB64(),
    metadata: message.getCustomMetadata_asB64(),
  };
}

export function expectedOf(options: streams.AppendReq.Options): FakeExpected {
  if (options.hasRevision()) return Number(options.getRevision());
  if (options.hasNoStream()) return "none";
  return options.hasStreamExists() ? "exists" : "any";
}

export function expectedInBatch(options: streams.BatchAppendReq.Options): FakeExpected {
  if (options.hasStreamPosition()) return Number(options.getStreamPosition());
  if (options.hasNoStream()) return "none";
  return options.hasStreamExists() ? "exists" : "any";
}

export function readEvent(record: FakeRecord): streams.ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(record.id))
    .setStreamIdentifier(streamIdentifier(record.stream))
    .setStreamRevision(String(record.revision))
    .setCommitPosition(String(record.commit))
    .setPreparePosition(String(record.prepare))
    .setData(record.data)
    .setCustomMetadata(record.metadata);
  const properties = recorded.getMetadataMap();
  properties.set("type", record.type);
  properties.set("content-type", record.contentType);
  properties.set("created", String(BigInt(record.createdMs) * ticksPerMs));
  const event = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(String(record.commit));
  return new streams.ReadResp().setEvent(event);
}

/** How far a subscription has read, whether or not anything matched. */
export function checkpointAt(commit: number, prepare: number): streams.ReadResp {
  const checkpoint = new streams.ReadResp.Checkpoint()
    .setCommitPosition(String(commit))
    .setPreparePosition(String(prepare));
  return new streams.ReadResp().setCheckpoint(checkpoint);
}
