/** A span in words that one can picture. `minutes` may have a fraction. */
export function durationWords(minutes: number): string {
  if (minutes < 0.1) return "a few seconds";
  if (minutes < 2) return `${Math.round(minutes * 60)} seconds`;
  if (minutes < 90) return `${Math.round(minutes)} minutes`;
  return `${Math.round(minutes / 60)} hours`;
}
