/** Where the newest position is kept between reloads; `sessionStorage` in the browser. */
export type PositionStorage = Pick<Storage, "getItem" | "setItem">;

const key = "newest-position";

/**
 * Remembers how far the log had come when one of our commands was answered, so that the next read can ask for at least
 * that much (`Read-After`) and one sees one's own write, also after a reload or a redirect.
 */
export function newestPosition(storage: PositionStorage | undefined) {
  return {
    /** The position to send with the next request, or null before the first command. */
    read: (): string | null => storage?.getItem(key) ?? null,
    /** Keeps the position of an answer, if it is newer. Positions are opaque; the later is greater as text. */
    note(position: string | null): void {
      if (position === null || storage === undefined) return;
      if (position > (storage.getItem(key) ?? "")) storage.setItem(key, position);
    },
  };
}
