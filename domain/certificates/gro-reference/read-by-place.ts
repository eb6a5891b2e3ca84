import { gap, type Reading, withPart } from "./reading.ts";
import type { ReferenceParts } from "./reference-parts.ts";

/** Interprets bare numbers by the order in which indexes of that time write them. */

type Slot = "districtNumber" | "volume" | "page" | "register" | "entry";

interface Order {
  readonly slots: readonly Slot[];
  /** Which part to omit first if there are too few numbers. */
  readonly scarce: readonly Slot[];
}

const early: Order = { slots: ["volume", "page"], scarce: ["volume", "page"] };
const middle: Order = {
  slots: ["districtNumber", "volume", "page", "entry"],
  scarce: ["entry", "districtNumber", "volume", "page"],
};
const late: Order = {
  slots: ["districtNumber", "register", "entry"],
  scarce: ["districtNumber", "register", "entry"],
};

function orderFor({ year, register, entry, volume, page }: ReferenceParts): Order {
  if (year === undefined) return (register ?? ((volume ?? page) ? undefined : entry)) ? late : early;
  if (Number(year) <= 1983) return early;
  return Number(year) <= 1992 ? middle : late;
}

const digits: Readonly<Record<Slot, RegExp>> = {
  districtNumber: /^\d{3,4}$/,
  volume: /^\d{1,2}$/,
  page: /^\d{1,5}$/,
  register: /^\d{1,3}$/,
  entry: /^\d{1,4}$/,
};

/**
 * Every choice of `size` slots in their order, those that lack the scarcest first. At most four slots, so at most six.
 */
function choices({ slots, scarce }: Order, size: number): readonly (readonly Slot[])[] {
  if (slots.length < size) return [];
  if (slots.length === size) return [slots];
  return scarce.flatMap((missing, index) =>
    choices({ slots: slots.filter((slot) => slot !== missing), scarce: scarce.slice(index + 1) }, size),
  );
}

/** Takes as many of the numbers, from the first on, as fit somewhere. */
export function readByPlace(reading: Reading): Reading {
  const order = orderFor(reading.parts);
  const isFree = (slot: Slot) => reading.parts[slot] === undefined;
  const free = { slots: order.slots.filter(isFree), scarce: order.scarce.filter(isFree) };
  const numbers = Array.from(reading.rest.matchAll(/(?<![\p{L}\p{M}\d])\d{1,5}(?![\p{L}\p{M}\d])/gu));
  for (let size = Math.min(free.slots.length, numbers.length); size > 0; size -= 1) {
    const placed = numbers.slice(0, size);
    const fitting = choices(free, size).find((slots) =>
      slots.every((slot, index) => digits[slot].test(placed[index]?.[0] ?? "")),
    );
    if (fitting) return place(reading, placed, fitting);
  }
  return reading;
}

/** From last to first, so that earlier positions stay valid. */
function place(reading: Reading, numbers: readonly RegExpExecArray[], slots: readonly Slot[]): Reading {
  return slots.reduceRight<Reading>((read, slot, index) => {
    const found = numbers[index];
    if (found === undefined) return read;
    const after = found.index + found[0].length;
    return {
      parts: withPart(read.parts, slot, found[0]),
      rest: read.rest.slice(0, found.index) + gap + read.rest.slice(after),
    };
  }, reading);
}
