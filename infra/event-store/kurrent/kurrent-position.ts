import { beginning, type Position } from "../event-store.ts";

/** A place in the server's log. `commit` is shared by the events of one append where the server has it so. */
export type LogPlace = { commit: bigint; prepare: bigint };

const pattern = /^([0-9a-f]{16})-([0-9a-f]{16})$/;
const hex = (value: bigint): string => value.toString(16).padStart(16, "0");

// What servers before 22.6 answer where they do not know.
const unknownPlace = 2n ** 64n - 1n;

/**
 * A place as text. Both are 64 bits: with all 16 digits written, order as text is order in the log.
 * @throws RangeError where the server does not say: one before 22.6 on reading a stream
 */
export function positionOfPlace({ commit, prepare }: LogPlace): Position {
  if (commit >= unknownPlace || prepare >= unknownPlace)
    throw new RangeError("The event store does not tell positions: it is older than 22.6.");
  return `${hex(commit)}-${hex(prepare)}`;
}

/**
 * The place that a position names, undefined at the beginning.
 * @throws RangeError for text that is no position of this kind of log, such as one of another adapter
 */
export function placeOf(position: Position): LogPlace | undefined {
  if (position === beginning) return undefined;
  const [, commit, prepare] = pattern.exec(position) ?? [];
  if (commit === undefined || prepare === undefined)
    throw new RangeError(`"${position}" is not a position of this log.`);
  return { commit: BigInt(`0x${commit}`), prepare: BigInt(`0x${prepare}`) };
}
