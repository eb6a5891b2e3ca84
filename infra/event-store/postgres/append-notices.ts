import pg from "pg";
import { endClient } from "../../postgres/pool.ts";
import type { Bell } from "../bell.ts";

const retryMs = { first: 50, most: 1000 } as const;
const connectTimeoutMs = 2000;

/** Rings the bell when another process appends. Listens on a separate connection, which it reopens when lost. */
export class AppendNotices {
  readonly #connectionString: string;
  readonly #bell: Bell;
  readonly #ownProcessId: () => number | null;
  readonly #onTrouble: (error: unknown) => void;
  readonly #closing = new AbortController();
  #listening: Promise<void> | undefined;

  /** @param ownProcessId of the server's process that appends for this one, which rings the bell itself */
  constructor(
    connectionString: string,
    bell: Bell,
    ownProcessId: () => number | null,
    onTrouble: (error: unknown) => void,
  ) {
    this.#connectionString = connectionString;
    this.#bell = bell;
    this.#ownProcessId = ownProcessId;
    this.#onTrouble = onTrouble;
  }

  /** Starts listening, once. */
  start(): void {
    if (!this.#closing.signal.aborted) this.#listening ??= this.#listen();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    let pauseMs: number = retryMs.first;
    while (!signal.aborted) {
      try {
        await this.#listenUntilLost(() => {
          pauseMs = retryMs.first;
        });
      } catch (error) {
        if (signal.aborted) return;
        this.#onTrouble(error);
      }
      await this.#bell.waitAfter(this.#bell.rings, pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, retryMs.most);
    }
  }

  /** Resolves when closed, rejects when the connection is lost. */
  async #listenUntilLost(onConnected: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#connectionString,
      application_name: "certificates follow",
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: connectTimeoutMs,
      keepAlive: true,
    });
    const ended = Promise.withResolvers<void>();
    ended.promise.catch(() => undefined); // Also awaited below, unless connecting fails first.
    const close = () => ended.resolve();
    client.on("error", (error) => ended.reject(error));
    client.on("end", () => ended.reject(new Error("The listening connection ended.")));
    client.on("notification", ({ processId }) => {
      if (processId !== this.#ownProcessId()) this.#bell.ring();
    });
    this.#closing.signal.addEventListener("abort", close);
    try {
      await client.connect();
      await client.query("listen events_appended");
      onConnected();
      // Something may have been appended while the connection was down.
      this.#bell.ring();
      await ended.promise;
    } finally {
      this.#closing.signal.removeEventListener("abort", close);
      await endClient(client);
    }
  }
}
