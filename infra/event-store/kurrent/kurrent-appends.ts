import { MaxAppendSizeExceededError, NO_STREAM, WrongExpectedVersionError } from "@eventstore/db-client";
import {
  type Appended,
  type AppendRequest,
  type NewEvent,
  OutcomeUnknown,
  WrongExpectedRevision,
} from "../event-store.ts";
import { AppendGate, defaultGateLimits } from "../postgres/append-gate.ts";
import { appendLimitBytes, type EncodedAppend, encodeAppend } from "../postgres/append-request.ts";
import { within } from "../reach-event-store.ts";
import type { SharedClient } from "./kurrent-client.ts";
import { wireBytes, wireEvent } from "./kurrent-events.ts";
import { positionOfPlace } from "./kurrent-position.ts";

type AppendsOptions = {
  connection: SharedClient;
  prefix: string;
  /** Ids on the wire, fresh for each event of each append. */
  newId: () => string;
  /** How long an append may wait for its turn before it is refused. */
  turnMs: number;
  /** How long an answer may take before the outcome counts as unknown. */
  answerMs: number;
};

export class KurrentAppends {
  readonly #options: AppendsOptions;
  readonly #gate: AppendGate;

  constructor(options: AppendsOptions) {
    this.#options = options;
    this.#gate = new AppendGate({ ...defaultGateLimits, waitMs: options.turnMs });
  }

  /** As EventStore's; RangeError for a request that is too large for any store. */
  async append(request: AppendRequest): Promise<Appended> {
    const encoded = encodeAppend(request);
    if (encoded.companions.length > 0) throw new TypeError("This store takes no companion rows.");
    const bytes = encoded.events.reduce((sum, event) => sum + wireBytes(event), 0);
    if (bytes > appendLimitBytes)
      throw new RangeError(`An append of ${bytes} bytes is above the limit of ${appendLimitBytes}.`);
    return this.#gate.run(encoded.stream, () => this.#send(encoded, request.events));
  }

  /** Resolves once every append has been answered. */
  idle(): Promise<void> {
    return this.#gate.idle();
  }

  async #send({ stream, expected, events }: EncodedAppend, given: readonly NewEvent[]): Promise<Appended> {
    const { connection, prefix, newId, answerMs } = this.#options;
    const wire = given.flatMap((event, index) => {
      const encoded = events[index];
      return encoded ? [wireEvent(event, encoded, newId())] : [];
    });
    try {
      const appending = connection.client.appendToStream(`${prefix}${stream}`, wire, {
        expectedRevision: expected < 0 ? NO_STREAM : BigInt(expected),
        credentials: connection.credentials,
        requiresLeader: true,
        deadline: answerMs,
      });
      const { nextExpectedRevision, position } = await within(answerMs, appending);
      const revision = Number(nextExpectedRevision);
      if (revision !== expected + events.length || !position)
        throw new OutcomeUnknown("The event store did not answer for what was appended.");
      return { revision, position: positionOfPlace(position) };
    } catch (error) {
      throw appendFault(error, stream, expected);
    }
  }
}

/** Only two errors mean that nothing was written; any other leaves the outcome unknown. */
function appendFault(error: unknown, stream: string, expected: number): unknown {
  if (error instanceof WrongExpectedVersionError) {
    const actual = typeof error.actualVersion === "bigint" ? Number(error.actualVersion) : "none";
    return new WrongExpectedRevision(stream, expected < 0 ? "none" : expected, actual);
  }
  if (error instanceof MaxAppendSizeExceededError)
    return new RangeError(`The event store takes no append of more than ${error.maxAppendSize} bytes.`);
  if (error instanceof OutcomeUnknown) return error;
  return new OutcomeUnknown("The answer to an append was lost.", { cause: error });
}
