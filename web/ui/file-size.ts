/** `850 bytes`, `12 KB`, `3.4 MB`: decimal, as the limits are. */
export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`;
  return `${Math.round(bytes / 100_000) / 10} MB`;
}
