import { EndingRedis } from "./ending-redis.ts";
import { failFast } from "./redis-options.ts";

export type OpenRedisOptions = {
  /** Milliseconds until a server that is there but silent is treated as away. */
  answerWithinMs: number;
  /** Told once each time, not at every attempt to connect. */
  onAway: () => void;
  onBack: () => void;
};

/** A connection for whoever can go on without an answer: a command fails at once while the server is away. Close it with `endAll`. */
export function openRedis(
  address: string,
  { answerWithinMs, onAway, onBack }: OpenRedisOptions,
): EndingRedis {
  const client = new EndingRedis(address, failFast(answerWithinMs));
  let isAway = false;
  client.on("reconnecting", () => {
    if (!isAway) onAway();
    isAway = true;
  });
  client.on("ready", () => {
    if (isAway) onBack();
    isAway = false;
  });
  return client;
}
