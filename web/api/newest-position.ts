/** Keeps the newest position across reloads; `sessionStorage` in the browser. */
type PositionStorage = Pick<Storage, "getItem" | "setItem">;

const key = "newest-position";

/**
 * Remembers the log position of our latest command, so the next read can ask for it (`Read-After`) and sees the write,
 * even after a reload or redirect.
 */
export function newestPosition(storage: PositionStorage | undefined) {
  return {
    /** The position to send with the next request, or null before the first command. */
    read: (): string | null => storage?.getItem(key) ?? null,
    /** Keeps an answer's position if it is newer. Positions are opaque; later ones are greater as text. */
    note(position: string | null): void {
      if (position === null || storage === undefined) return;
      if (position > (storage.getItem(key) ?? "")) storage.setItem(key, position);
    },
  };
}
