/** A command that waits for the disk, or for a slow vault, holds up the next one no longer. In milliseconds. */
const longestWaitMs = 500;

/**
 * Commands on one stream take turns in this process: each decides on what the one before it has appended, instead of
 * losing to it and reading the stream. Only a saving: what two processes do at once the log decides.
 */
export class Turns {
  /** The end of the newest turn, by stream. */
  readonly #ends = new Map<string, Promise<void>>();

  async take<T>(stream: string, work: () => Promise<T>): Promise<T> {
    const before = this.#ends.get(stream);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    this.#ends.set(stream, end);
    try {
      if (before) await soon(before);
      return await work();
    } finally {
      resolve();
      if (this.#ends.get(stream) === end) this.#ends.delete(stream);
    }
  }
}

/** Waits for something that never fails, but not for ever. */
async function soon(ended: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, longestWaitMs);
  });
  await Promise.race([ended, late]);
  clearTimeout(timer);
}
