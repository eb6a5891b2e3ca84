import { EndingRedis } from "./ending-redis.ts";
import { failFast } from "./redis-options.ts";

type OpenRedisOptions = {
  /** Milliseconds until a silent server counts as unreachable. */
  answerWithinMs: number;
  /** Called once per outage, not at every attempt to connect. */
  onAway: () => void;
  onBack: () => void;
};

/**
 * A connection for callers that can work without an answer: a command fails at once while the server is unreachable.
 * Close it with `endAll`.
 */
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
