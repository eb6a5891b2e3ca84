/** One closed curve of a rosette: SVG path data within a square of 200 by 200, and its stroke width. */
interface Band {
  readonly path: string;
  readonly width: number;
}

const centre = 100;
const pointsPerTurn = 160;

/** Rings from the outside in: mean radius and swing, before the fingerprint moves them. */
const rings = [
  { radius: 80, swing: 14, lobes: 19, turns: 9, width: 0.3 },
  { radius: 67, swing: 20, lobes: 11, turns: 7, width: 0.3 },
  { radius: 46, swing: 9, lobes: 23, turns: 8, width: 0.35 },
  { radius: 33, swing: 9, lobes: 8, turns: 11, width: 0.4 },
] as const;

/**
 * Draws a guilloché from a fingerprint (64 hex digits): four interlaced curves of the kind r = R + A cos(pθ/q), eight
 * bytes for each. Every digit turns or changes a curve, so two fingerprints never give the same rosette.
 */
export function guilloche(fingerprint: string): Band[] {
  const bytes = fingerprint.match(/[0-9a-f]{2}/gi)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
  return rings.map((ring, index) => {
    const own = Array.from({ length: 8 }, (_, position) => bytes[index * 8 + position] ?? 0);
    return { path: curve(ring, own), width: ring.width };
  });
}

function curve(ring: (typeof rings)[number], bytes: readonly number[]): string {
  const [petals = 0, windings = 0, swing = 0, waves = 0, depth = 0] = bytes;
  const turns = ring.turns + (windings % 5);
  const lobes = coprime(ring.lobes * turns + (petals % 29), turns);
  const reach = ring.swing * (0.8 + (swing / 255) * 0.2);
  const wave = 3 + (waves % 9);
  const swell = (depth / 255) * 0.3;
  const turned = phase(bytes);
  const count = pointsPerTurn * turns;
  const points = Array.from({ length: count }, (_, step) => {
    const angle = (step / pointsPerTurn) * 2 * Math.PI;
    const envelope = 1 - swell * (0.5 + 0.5 * Math.cos(wave * angle + turned));
    const radius = ring.radius + reach * envelope * Math.cos((lobes / turns) * angle + turned);
    return `${place(radius, angle, Math.cos)} ${place(radius, angle, Math.sin)}`;
  });
  return `M${points.join("L")}Z`;
}

/** An angle to which every byte adds: odd weights, so that no change of one byte is lost modulo 1024. */
const phase = (bytes: readonly number[]): number =>
  ((bytes.reduce((sum, byte, index) => sum + byte * (2 * index + 1), 0) % 1024) / 1024) * 2 * Math.PI;

const place = (radius: number, angle: number, axis: (angle: number) => number): string =>
  (centre + radius * axis(angle)).toFixed(1);

/**
 * The next number from `value` on that shares no divisor with `other`, so that the curve closes only after all turns.
 */
function coprime(value: number, other: number): number {
  for (let candidate = value; candidate < value + other; candidate += 1) {
    if (commonDivisor(candidate, other) === 1) return candidate;
  }
  return value;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
