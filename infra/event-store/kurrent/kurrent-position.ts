import { beginning, type Position } from "../event-store.ts";

/** A place in the server's log. Events of one append may share `commit`. */
export type LogPlace = { commit: bigint; prepare: bigint };

const pattern = /^([0-9a-f]{16})-([0-9a-f]{16})$/;
const hex = (value: bigint): string => value.toString(16).padStart(16, "0");

// Servers before 22.6 answer this when they do not know.
const unknownPlace = 2n ** 64n - 1n;

/**
 * A place as text. Both numbers are 64 bits, written with all 16 digits, so text order is log order.
 * @throws RangeError when the server gives none: before 22.6, on reading a stream
 */
export function positionOfPlace({ commit, prepare }: LogPlace): Position {
  if (commit >= unknownPlace || prepare >= unknownPlace)
    throw new RangeError("The event store gives no positions: it is older than 22.6.");
  return `${hex(commit)}-${hex(prepare)}`;
}

/**
 * The place of a position, undefined at the beginning.
 * @throws RangeError for text that is not a position of this kind of log, such as another adapter's
 */
export function placeOf(position: Position): LogPlace | undefined {
  if (position === beginning) return undefined;
  const [, commit, prepare] = pattern.exec(position) ?? [];
  if (commit === undefined || prepare === undefined)
    throw new RangeError(`"${position}" is not a position of this log.`);
  return { commit: BigInt(`0x${commit}`), prepare: BigInt(`0x${prepare}`) };
}
