/** Size in SVG units. */
export const width = 600;
export const height = 160;

/** An SVG path with gaps for missing values; an isolated value is a short level line. */
export function pathOf(values: readonly (number | null)[], top: number): string {
  const step = width / Math.max(1, values.length - 1);
  const half = Math.min(step / 2, width / 60);
  const point = (at: number, value: number) =>
    `${round(at)},${round(height - (value / top) * (height - 4) - 2)}`;
  return values
    .map((value, at) => {
      if (value === null) return "";
      const [before, after] = [values[at - 1] ?? null, values[at + 1] ?? null];
      if (before !== null) return `L${point(at * step, value)}`;
      if (after !== null) return `M${point(at * step, value)}`;
      return `M${point(Math.max(0, at * step - half), value)}L${point(Math.min(width, at * step + half), value)}`;
    })
    .join("");
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Top of the scale: the smallest of 1, 2, 5, 10, 20, 50… that is not below `most`. */
export function niceTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= most) ?? most;
}
