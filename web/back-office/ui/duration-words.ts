/** Seconds as people say them: '41 s', '3.5 min', '2.1 h', '4.0 days'. */
export function durationWords(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return `${tenths(seconds / 60)} min`;
  if (seconds < 2 * 86_400) return `${tenths(seconds / 3_600)} h`;
  return `${tenths(seconds / 86_400)} days`;
}

const tenths = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
