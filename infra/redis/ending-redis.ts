import { Redis, type RedisOptions } from "ioredis";

type Client = Pick<Redis, "status" | "connect" | "disconnect" | "on">;

/**
 * ioredis 6.0.0, told to disconnect while it waits between two attempts, forgets the timer and says nothing more: whoever
 * waits for the end, or for a command in its queue, waits for ever. This one always ends, and so do its duplicates.
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

  /** Ends it and its duplicates, whether the server is there or not; what waits in them is rejected. */
  endAll(): void {
    for (const client of [this, ...this.#duplicates]) client.disconnect();
  }
}

function letEnd(client: Client): void {
  // BullMQ listens until it has closed; what comes after that nobody needs to know.
  client.on("error", () => undefined);
  const disconnect = client.disconnect.bind(client);
  client.disconnect = (reconnect = false) => {
    const isBetweenAttempts = client.status === "reconnecting" && !reconnect;
    disconnect(reconnect);
    if (!isBetweenAttempts) return;
    // Another attempt, broken off at once, ends the way it should; its failure is what was asked for.
    client.connect().catch(() => undefined);
    disconnect();
  };
}
