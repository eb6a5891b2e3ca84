import { Socket } from "node:net";

/** A server that took what was sent and did not answer in time. */
class ServerSilent extends Error {
  override name = "ServerSilent";
  readonly code = "ETIMEDOUT";
}

/** Ends itself when what was written is not answered in time. */
class WatchedSocket extends Socket {
  readonly #silentMs: number;
  /** The first write that nothing was read after. */
  #unanswered = { sinceMs: 0, bytesRead: -1 };
  #watch: NodeJS.Timeout | undefined;

  constructor(silentMs: number) {
    super();
    this.#silentMs = silentMs;
    this.once("close", () => clearTimeout(this.#watch));
  }

  // Every write of a plain connection comes by here; one that was upgraded to TLS writes past it, and is not watched.
  override _write(...given: Parameters<Socket["_write"]>): void {
    this.#expectAnswer();
    super._write(...given);
  }

  override _writev(...given: Parameters<NonNullable<Socket["_writev"]>>): void {
    this.#expectAnswer();
    super._writev?.(...given);
  }

  #expectAnswer(): void {
    const { bytesRead } = this;
    if (bytesRead !== this.#unanswered.bytesRead)
      this.#unanswered = { sinceMs: performance.now(), bytesRead };
    if (!this.#watch) this.#lookIn(this.#silentMs);
  }

  #lookIn(ms: number): void {
    this.#watch = setTimeout(() => {
      this.#watch = undefined;
      if (this.bytesRead !== this.#unanswered.bytesRead) return;
      const leftMs = this.#unanswered.sinceMs + this.#silentMs - performance.now();
      if (leftMs > 0) this.#lookIn(leftMs);
      else this.destroy(new ServerSilent("The server does not answer."));
    }, ms).unref();
  }
}

/**
 * Makes the sockets of clients whose connections others keep. Their `query_timeout` only gives up a query: what comes
 * after it on the same connection would wait for the lost answer for ever.
 */
export const endingWhenSilent =
  (silentMs: number): (() => Socket) =>
  () =>
    new WatchedSocket(silentMs);
