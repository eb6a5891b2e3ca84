const minuteMs = 60_000;
const randomBits = 10;
/** 22 bits of a minute: they begin again after eight years, among ids of that age. */
const minutes = 2 ** 22;

/**
 * The id with the minute in front, a UUID of version 8 (RFC 9562); 100 bits of the id are kept. Orders of the same
 * minute are then neighbours in every index: what happens to them changes few of its pages.
 * @param id a lower-case UUID
 */
export function timeOrdered(id: string, atMs: number): string {
  const minute = Math.floor(atMs / minuteMs) % minutes;
  const kept = Number.parseInt(id.slice(0, 8), 16) % 2 ** randomBits;
  const front = (minute * 2 ** randomBits + kept).toString(16).padStart(8, "0");
  return `${front}${id.slice(8, 14)}8${id.slice(15)}`;
}

const version7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** When a UUID of version 7 was made, in milliseconds; undefined for any other text. */
export function timeOf(uuid: string): number | undefined {
  const [, high, low] = version7.exec(uuid) ?? [];
  return high === undefined || low === undefined ? undefined : Number.parseInt(high + low, 16);
}
