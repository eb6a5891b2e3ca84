/** A moment as ISO 8601 text in UTC. Compare two with `before`: the texts may differ in precision. */
export type Instant = string;

const isoOf = (milliseconds: number): Instant => new Date(milliseconds).toISOString();

export const secondsPerDay = 86_400;

/** Adds seconds, or subtracts if negative. */
export const addSeconds = (at: Instant, seconds: number): Instant => isoOf(Date.parse(at) + seconds * 1000);

/** Adds days of 24 hours. */
export const addDays = (at: Instant, days: number): Instant => addSeconds(at, days * secondsPerDay);

export const before = (at: Instant, other: Instant): boolean => Date.parse(at) < Date.parse(other);

export const earlier = (at: Instant, other: Instant): Instant => (before(at, other) ? at : other);

/** The later of two. */
export const later = (at: Instant, other: Instant): Instant => (before(at, other) ? other : at);

/** About 31 years, the most that an event's `count` may hold. Only a wrong clock exceeds it. */
const mostSeconds = 1_000_000_000;

/**
 * Whole seconds from one to the other, at most a thousand million; 0 when the clocks disagree and the other comes
 * first.
 */
export const secondsBetween = (from: Instant, to: Instant): number =>
  Math.min(mostSeconds, Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1000)));
