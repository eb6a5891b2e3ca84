import { beginning, type Position } from "./event-store.ts";

// 2^53 has 16 digits: with all of them written, text order is numeric order.
const digits = 16;
const pattern = /^\d{16}$/;

/** The position of the nth event of the log, counted from 1. */
export function positionOf(count: number | string): Position {
  return String(count).padStart(digits, "0");
}

/**
 * Number of events up to and including a position; 0 at the beginning.
 * @throws RangeError for text that is not a position of this kind of log, such as another adapter's
 */
export function countUpTo(position: Position): number {
  if (position === beginning) return 0;
  if (!pattern.test(position)) throw new RangeError(`"${position}" is not a position of this log.`);
  return Number(position);
}
