import { Redis, type RedisOptions } from "ioredis";

type Client = Pick<Redis, "status" | "connect" | "disconnect" | "on">;

/**
 * ioredis 6.0.0, disconnected between two attempts, forgets the timer and reports nothing more: callers awaiting the
 * end, or a queued command, wait for ever. This one always ends, and so do its duplicates.
 */
export class EndingRedis extends Redis {
  readonly #duplicates: Client[] = [];

  constructor(address: string, options: Omit<RedisOptions, "replyMapping">) {
    super(address, options);
    letEnd(this);
  }

  override duplicate<Changes extends Partial<RedisOptions> | undefined = undefined>(changes?: Changes) {
    const copy = super.duplicate(changes);
    letEnd(copy);
    this.#duplicates.push(copy);
    return copy;
  }

  /** Ends it and its duplicates, whether the server is up or not; waiting commands are rejected. */
  endAll(): void {
    for (const client of [this, ...this.#duplicates]) client.disconnect();
  }
}

function letEnd(client: Client): void {
  // BullMQ listens until it has closed; later errors do not matter.
  client.on("error", () => undefined);
  const disconnect = client.disconnect.bind(client);
  client.disconnect = (reconnect = false) => {
    const isBetweenAttempts = client.status === "reconnecting" && !reconnect;
    disconnect(reconnect);
    if (!isBetweenAttempts) return;
    // Another attempt, cancelled at once, ends correctly; its failure is expected.
    client.connect().catch(() => undefined);
    disconnect();
  };
}
