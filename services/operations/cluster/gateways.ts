import { pause } from "../../../infra/following/follower-turn.ts";

export type Upstream = { readonly host: string; readonly port: number };

export type Gateways = {
  /** All ready gateways, starting with the next in rotation. */
  readonly inTurn: () => readonly Upstream[];
  /** Takes a gateway that refused a connection out of rotation until it is ready again. */
  readonly failed: (upstream: Upstream) => void;
  readonly stop: () => Promise<void>;
};

const lookEveryMs = 250;
/** Longer than a readiness check may take. */
const answerWithinMs = 3_000;

/** Polls each gateway for readiness. */
export function watchGateways(upstreams: readonly Upstream[]): Gateways {
  const ready = new Set<Upstream>();
  const stopping = new AbortController();
  let turn = 0;

  async function watch(upstream: Upstream): Promise<void> {
    while (!stopping.signal.aborted) {
      if (await isReady(upstream)) ready.add(upstream);
      else ready.delete(upstream);
      await pause(lookEveryMs, stopping.signal);
    }
  }

  const watching = Promise.all(upstreams.map(watch));
  return {
    inTurn: () => {
      turn += 1;
      const all = upstreams.filter((upstream) => ready.has(upstream));
      const first = turn % Math.max(1, all.length);
      return [...all.slice(first), ...all.slice(0, first)];
    },
    failed: (upstream) => void ready.delete(upstream),
    stop: async () => {
      stopping.abort();
      await watching;
    },
  };
}

async function isReady({ host, port }: Upstream): Promise<boolean> {
  try {
    const answer = await fetch(`http://${host}:${port}/readyz/traffic`, {
      signal: AbortSignal.timeout(answerWithinMs),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    // Whatever the reason, it is not ready.
    return false;
  }
}
