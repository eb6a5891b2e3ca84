/** A version 4 UUID, without `randomUUID`, which browsers offer on secure origins only. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join("-");
}

/**
 * The key to send with a command: the same for the same body, so a repeat after a lost answer does nothing twice; a
 * different body is a different command and gets a new key.
 */
export function keyPerBody(newId: () => string): (body: unknown) => string {
  let last: { readonly body: string; readonly key: string } | undefined;
  return (body) => {
    const text = JSON.stringify(body);
    if (last?.body !== text) last = { body: text, key: newId() };
    return last.key;
  };
}
