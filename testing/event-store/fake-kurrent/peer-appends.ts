import { setTimeout as delay } from "node:timers/promises";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import statusOf from "@eventstore/db-client/generated/status_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import {
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  Metadata,
  type StatusObject,
  status,
} from "@grpc/grpc-js";
import any from "google-protobuf/google/protobuf/any_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import { type FakeFaults, lacksLeader, notReady } from "./peer-faults.ts";
import type { FakeEvent, FakeExpected, FakeLog, FakeOutcome } from "./peer-log.ts";
import { expectedInBatch, expectedOf, proposedEvent, streamIdentifier, streamName } from "./peer-messages.ts";

/**
 * Parts of the fake server. `ended` aborts when it stops; `starts` records where each subscription began, `searches`
 * counts requests for the leader.
 */
export type FakeParts = {
  log: FakeLog;
  faults: FakeFaults;
  ended: AbortSignal;
  starts: number[];
  searches: number;
};

/** Broken like a network failure: the client learns nothing. */
export const broken = { code: status.UNAVAILABLE, details: "The fake server broke the call." };

type Appending = { stream: string; expected: FakeExpected; events: FakeEvent[] };

/** Writes, unless a fault prevents it; undefined when the answer is to be lost. */
async function settle({ log, faults, ended }: FakeParts, asked: Appending): Promise<FakeOutcome | undefined> {
  await faults.untilThawed(ended);
  if (ended.aborted) return undefined;
  if (faults.refusesAppends > 0) {
    faults.refusesAppends -= 1;
    return undefined;
  }
  const outcome = log.append(asked.stream, asked.expected, asked.events);
  if (faults.slowMs > 0) await delay(faults.slowMs);
  if (faults.losesAnswers > 0) {
    faults.losesAnswers -= 1;
    return undefined;
  }
  return outcome;
}

/** The unary append call: options first, then the events. */
export function appendOnce(
  parts: FakeParts,
): handleClientStreamingCall<streams.AppendReq, streams.AppendResp> {
  return (call, answer) => {
    const asked: Appending = { stream: "", expected: "any", events: [] };
    call.on("data", (request: streams.AppendReq) => {
      const options = request.getOptions();
      const message = request.getProposedMessage();
      if (options) {
        asked.stream = streamName(options.getStreamIdentifier());
        asked.expected = expectedOf(options);
      }
      if (message) asked.events.push(proposedEvent(message));
    });
    call.on("end", async () => {
      const { mostBytes } = parts.faults;
      if (bytesOf(asked.events) > mostBytes) return answer(tooLarge(mostBytes));
      if (lacksLeader(parts.faults, call.metadata)) return answer(notReady);
      const outcome = await settle(parts, asked);
      if (outcome) answer(null, answerOnce(asked.expected, outcome));
      else answer(broken);
    });
  };
}

const bytesOf = (events: readonly FakeEvent[]): number =>
  events.reduce((sum, { data, metadata }) => sum + ((data.length + metadata.length) * 3) / 4, 0);

function tooLarge(mostBytes: number): Partial<StatusObject> {
  const metadata = new Metadata();
  metadata.set("exception", "maximum-append-size-exceeded");
  metadata.set("maximum-append-size", String(mostBytes));
  return { code: status.INVALID_ARGUMENT, details: "The append is too large.", metadata };
}

function answerOnce(expected: FakeExpected, outcome: FakeOutcome): streams.AppendResp {
  if ("wrote" in outcome) {
    const position = new streams.AppendResp.Position()
      .setCommitPosition(String(outcome.wrote.commit))
      .setPreparePosition(String(outcome.wrote.prepare));
    const success = new streams.AppendResp.Success()
      .setCurrentRevision(String(outcome.wrote.revision))
      .setPosition(position);
    return new streams.AppendResp().setSuccess(success);
  }
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (outcome.standsAt === "none") wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(outcome.standsAt));
  if (typeof expected === "number") wrong.setExpectedRevision(String(expected));
  else if (expected === "none") wrong.setExpectedNoStream(new shared.Empty());
  else wrong.setExpectedStreamExists(new shared.Empty());
  return new streams.AppendResp().setWrongExpectedVersion(wrong);
}

/** The client's open stream of appends, each with a separate id. */
export function appendBatches(
  parts: FakeParts,
): handleBidiStreamingCall<streams.BatchAppendReq, streams.BatchAppendResp> {
  return (call) => {
    const pending = new Map<string, Appending>();
    call.on("data", async (request: streams.BatchAppendReq) => {
      const id = request.getCorrelationId()?.getString() ?? "";
      const asked = pending.get(id) ?? { stream: "", expected: "any", events: [] };
      pending.set(id, asked);
      const options = request.getOptions();
      if (options) {
        asked.stream = streamName(options.getStreamIdentifier());
        asked.expected = expectedInBatch(options);
      }
      asked.events.push(...request.getProposedMessagesList().map(proposedEvent));
      if (!request.getIsFinal()) return;
      pending.delete(id);
      const outcome = await settle(parts, asked);
      if (outcome) call.write(answerInBatch(id, asked, outcome));
      else call.emit("error", broken);
    });
    call.on("end", () => call.end());
  };
}

function answerInBatch(id: string, asked: Appending, outcome: FakeOutcome): streams.BatchAppendResp {
  const answer = new streams.BatchAppendResp()
    .setCorrelationId(new shared.UUID().setString(id))
    .setStreamIdentifier(streamIdentifier(asked.stream));
  if ("wrote" in outcome) {
    const position = new shared.AllStreamPosition()
      .setCommitPosition(String(outcome.wrote.commit))
      .setPreparePosition(String(outcome.wrote.prepare));
    const success = new streams.BatchAppendResp.Success()
      .setCurrentRevision(String(outcome.wrote.revision))
      .setPosition(position);
    return answer.setSuccess(success);
  }
  const wrong = new shared.WrongExpectedVersion();
  if (outcome.standsAt === "none") wrong.setCurrentNoStream(new empty.Empty());
  else wrong.setCurrentStreamRevision(String(outcome.standsAt));
  if (typeof asked.expected === "number") wrong.setExpectedStreamPosition(String(asked.expected));
  else if (asked.expected === "none") wrong.setExpectedNoStream(new empty.Empty());
  else wrong.setExpectedStreamExists(new empty.Empty());
  const details = new any.Any();
  details.pack(wrong.serializeBinary(), "event_store.client.WrongExpectedVersion");
  return answer.setError(new statusOf.Status().setMessage("WrongExpectedVersion").setDetails(details));
}
