import { setTimeout as delay } from "node:timers/promises";
import { type AuditReport, auditLog } from "../../../infra/audit/audit-log.ts";
import {
  beginning,
  type EventStore,
  OutcomeUnknown,
  type Position,
  StoreBusy,
  type StoredEvent,
  WrongExpectedRevision,
} from "../../../infra/event-store/event-store.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";

type CopyOptions = {
  readonly from: EventStore;
  readonly to: EventStore;
  /** Ids of the checkpoints' events, which the source must hold. */
  readonly checkpoints?: ReadonlySet<string>;
  /** Interrupts between two appends; the next run resumes there. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (events: number) => void;
};

/** The report on the copy, and the positions of the checkpoints' events in it, by id. */
type Copied = { readonly report: AuditReport; readonly positions: ReadonlyMap<string, Position> };

const eventsAtOnce = 500;
const mostInAppend = 50;
const mostCharacters = 250_000;
const mostTries = 6;
const firstRetryMs = 100;

/**
 * Copies a log event by event in its order, then reads the whole copy and compares both digests. Events already present
 * are compared and kept, so an interrupted copy resumes on the next run. Only the store's clock and positions are new.
 * @throws OperatorError when the source is broken, grows, or lacks a checkpoint's event, or the target holds other
 * events; the signal's reason
 */
export async function copyLog(options: CopyOptions): Promise<Copied> {
  const { from, to, checkpoints = new Set() } = options;
  if ((await from.logId()) !== (await to.logId()))
    throw new OperatorError("The target belongs to another log: copy into an unused store.");
  const { report: source, positions: places } = await readWhole(from, options);
  if (source.problem) throw new OperatorError(`Not copied: the source is broken. ${source.problem.words}`);
  if (places.size < checkpoints.size)
    throw new OperatorError(
      "Not copied: the source lacks an event that this database has seen, so it is not the log in use but an older copy. Copy from the event store in use.",
    );
  await appendMissing(options);
  const copied = await readWhole(to, options);
  const { report: copy } = copied;
  if (copy.problem) throw new OperatorError(`The copy is broken. ${copy.problem.words}`);
  if ((await from.head()) !== source.position)
    throw new OperatorError("The source grew while it was copied: stop the product, and run this again.");
  if (copy.events !== source.events || copy.rollingHash !== source.rollingHash)
    throw new OperatorError(
      `The copy differs from the source: ${copy.events} events with rolling hash ${copy.rollingHash}, ${source.events} with ${source.rollingHash}. Do not use it.`,
    );
  return copied;
}

/**
 * Reads a whole log, verifies its hashes, and records the positions of the checkpoints' events. Signed checkpoints are the
 * concern of `npm run audit`.
 */
async function readWhole(store: EventStore, { checkpoints, signal }: CopyOptions): Promise<Copied> {
  const positions = new Map<string, Position>();
  const report = await auditLog({
    ...{ store, ...(signal && { signal }) },
    onEvent: ({ id, position }) => {
      if (checkpoints?.has(id)) positions.set(id, position);
    },
  });
  return { report, positions };
}

async function appendMissing({ from, to, signal, onProgress }: CopyOptions): Promise<void> {
  let source = beginning;
  let target = beginning;
  let count = 0;
  for (;;) {
    signal?.throwIfAborted();
    const events = await from.readAll(source, eventsAtOnce);
    const last = events.at(-1);
    if (!last) return;
    const there = await to.readAll(target, events.length);
    for (const [index, event] of there.entries()) refuseOther(event, events[index]);
    for (const group of groupsOf(events.slice(there.length))) {
      signal?.throwIfAborted();
      await appendGroup(to, group);
    }
    source = last.position;
    target = there.length === events.length ? (there.at(-1)?.position ?? target) : await to.head();
    count += events.length;
    onProgress?.(count);
  }
}

/** Consecutive events of one stream go together: single appends would take several times as long. */
function groupsOf(events: readonly StoredEvent[]): StoredEvent[][] {
  const groups: StoredEvent[][] = [];
  let characters = 0;
  for (const event of events) {
    const group = groups.at(-1);
    const size = JSON.stringify(event).length;
    const fits = group && group.length < mostInAppend && characters + size <= mostCharacters;
    if (fits && group[0]?.stream === event.stream) {
      group.push(event);
      characters += size;
    } else {
      groups.push([event]);
      characters = size;
    }
  }
  return groups;
}

/** Retries the same events at the same revision until they are there. */
async function appendGroup(to: EventStore, group: readonly StoredEvent[]): Promise<void> {
  const [first] = group;
  if (!first) return;
  const { stream, revision } = first;
  const events = group.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
  let fault: unknown;
  for (let tries = 0; tries < mostTries; tries++) {
    try {
      await to.append({ stream, expectedRevision: revision === 0 ? "none" : revision - 1, events });
      return;
    } catch (error) {
      if (!unsettled.some((kind) => error instanceof kind)) throw error;
      fault = error;
    }
    const there = await to.readStream(stream, revision);
    for (const [index, event] of there.entries()) refuseOther(event, group[index]);
    if (there.length === group.length) return;
    await delay(firstRetryMs * 2 ** tries);
  }
  throw fault;
}

// Nothing was written, or the stream shows whether it was.
const unsettled = [OutcomeUnknown, StoreBusy, WrongExpectedRevision];

function refuseOther(found: StoredEvent, wanted: StoredEvent | undefined): void {
  if (wanted && isSameEvent(found, wanted)) return;
  throw new OperatorError(
    `The target holds an event that the source lacks: ${found.revision} of ${found.stream}. Copy into a store that nothing else has written to.`,
  );
}

/** Whether two stores hold the same event at the same place of the same stream, to the last character. */
function isSameEvent(one: StoredEvent, other: StoredEvent): boolean {
  return textOf(one) === textOf(other);
}

const textOf = ({ id, stream, revision, type, data, metadata }: StoredEvent): string =>
  JSON.stringify([id, stream, revision, type, data, metadata]);
