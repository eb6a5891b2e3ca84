import streams from "@eventstore/db-client/generated/streams_pb.js";
import {
  type handleServerStreamingCall,
  Metadata,
  type ServerWritableStream,
  type StatusObject,
  status,
} from "@grpc/grpc-js";
import type { FakeParts } from "./peer-appends.ts";
import { lacksLeader, notReady } from "./peer-faults.ts";
import { type FakeLog, type FakePosition, type FakeRecord, isBefore } from "./peer-log.ts";
import { readEvent, streamIdentifier, streamName } from "./peer-messages.ts";
import { FakeSubscription } from "./peer-subscription.ts";

type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

const backwards = 1;

/** Reads of a stream or everything, and subscriptions to everything. `subscriptions` holds the open ones. */
export function read(
  parts: FakeParts,
  subscriptions: Set<FakeSubscription>,
): handleServerStreamingCall<streams.ReadReq, streams.ReadResp> {
  return async (call) => {
    await parts.faults.untilThawed(parts.ended);
    const options = call.request.getOptions();
    if (parts.ended.aborted || !options) return call.end();
    const from = options.getAll()?.getPosition();
    const position = from && positionOf(from);
    const refusal = lacksLeader(parts.faults, call.metadata) ? notReady : refusalOf(parts, position);
    if (refusal) return call.emit("error", refusal);
    if (options.hasSubscription()) return subscribe(parts, subscriptions, { call, options, position });
    const name = streamName(options.getStream()?.getStreamIdentifier());
    const isStream = options.hasStream();
    if (isStream && parts.log.stream(name).length === 0) return answerNotFound(call, name);
    const found = isStream
      ? recordsOfStream(parts.log, name, options)
      : recordsOfAll(parts.log, options, position);
    await send(call, found.slice(0, Number(options.getCount())));
  };
}

function refusalOf(
  { faults, log }: FakeParts,
  position: FakePosition | undefined,
): Partial<StatusObject> | undefined {
  if (faults.deniesReads) {
    const metadata = new Metadata();
    metadata.set("exception", "access-denied");
    return { code: status.PERMISSION_DENIED, details: "Access Denied", metadata };
  }
  if (!position || isPlace(log, position)) return undefined;
  return { code: status.UNKNOWN, details: "The position is inside a record." };
}

type Asked = { call: ReadCall; options: streams.ReadReq.Options; position: FakePosition | undefined };

function subscribe(parts: FakeParts, open: Set<FakeSubscription>, asked: Asked): Promise<void> {
  const { call, options, position } = asked;
  const after = options.getAll()?.hasEnd() ? parts.log.records.at(-1) : position;
  const subscription = new FakeSubscription(parts, call, { after, filter: options.getFilter() });
  open.add(subscription);
  return subscription.run().finally(() => open.delete(subscription));
}

const positionOf = (position: streams.ReadReq.Options.Position): FakePosition => ({
  commit: Number(position.getCommitPosition()),
  prepare: Number(position.getPreparePosition()),
});

/** A record starts there, or it is beyond the end. A checkpoint made while catching up has no prepare position. */
function isPlace(log: FakeLog, position: FakePosition): boolean {
  const last = log.records.at(-1);
  if (!last || isBefore(last, position)) return true;
  return log.records.some(
    ({ commit, prepare }) => commit === position.commit && [prepare, 0].includes(position.prepare),
  );
}

function answerNotFound(call: ReadCall, name: string): void {
  const missing = new streams.ReadResp.StreamNotFound().setStreamIdentifier(streamIdentifier(name));
  call.write(new streams.ReadResp().setStreamNotFound(missing));
  call.end();
}

/** Forwards the position itself is included, backwards it is not. */
function recordsOfAll(
  log: FakeLog,
  options: streams.ReadReq.Options,
  position: FakePosition | undefined,
): readonly FakeRecord[] {
  if (options.getReadDirection() === backwards)
    return log.records.filter((record) => !position || isBefore(record, position)).toReversed();
  return options.getAll()?.hasEnd() ? [] : log.records.filter((r) => !position || !isBefore(r, position));
}

function recordsOfStream(
  log: FakeLog,
  name: string,
  options: streams.ReadReq.Options,
): readonly FakeRecord[] {
  const of = options.getStream();
  const records = log.stream(name);
  const from = of?.hasRevision() ? Number(of.getRevision()) : undefined;
  if (options.getReadDirection() === backwards)
    return records.filter(({ revision }) => from === undefined || revision <= from).toReversed();
  return of?.hasEnd() ? [] : records.slice(from ?? 0);
}

async function send(call: ReadCall, records: readonly FakeRecord[]): Promise<void> {
  for (const record of records) {
    if (call.cancelled) return;
    if (!call.write(readEvent(record))) await drained(call);
  }
  call.end();
}

/** Resolves when the call can be written to again, or is over. */
function drained(call: ReadCall): Promise<void> {
  const events = ["drain", "close", "cancelled", "error"];
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) call.removeListener(event, done);
      resolve();
    };
    for (const event of events) call.on(event, done);
  });
}
