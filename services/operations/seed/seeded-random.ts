/** Numbers in [0, 1), reproducible for a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Picks uniformly. @throws RangeError for an empty list */
export function pick<One>(random: () => number, all: readonly One[]): One {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new RangeError("There is nothing to pick from.");
  return one;
}

export const between = (random: () => number, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

export function pickWeighted<One>(
  random: () => number,
  all: readonly [readonly [One, number], ...(readonly [One, number])[]],
): One {
  let left = random() * all.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [one, weight] of all) {
    left -= weight;
    if (left < 0) return one;
  }
  return all[0][0];
}
