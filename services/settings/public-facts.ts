import type { Log } from "../../infra/process/log.ts";
import type { FigureQueries, PublicFacts } from "../../projections/figures.ts";

/** With fewer orders, a median means little and the count could identify people. */
const fewestOrders = 20;

const keptForSeconds = 60;

/** Public performance figures; null while unknown, or with too few orders. */
export type FactsOfService = { readonly current: () => PublicFacts | null };

type FactsParts = {
  readonly queries: Pick<FigureQueries, "publicFacts">;
  readonly now: () => Date;
  readonly log: Log;
};

/**
 * Caches the facts for a minute. Callers get the cached value at once, and an older one is refreshed in the background:
 * no page waits for the database or fails with it.
 */
export function createFactsOfService({ queries, now, log }: FactsParts): FactsOfService {
  let known: PublicFacts | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  const refresh = async (at: Date): Promise<void> => {
    try {
      const facts = await queries.publicFacts(at.toISOString());
      known = facts.submittedOrders < fewestOrders ? null : facts;
    } catch (error) {
      log.warn({ err: error }, "the facts for the home page could not be counted");
    }
  };
  return {
    current: () => {
      const at = now();
      if (Math.abs(at.getTime() - askedAt) >= keptForSeconds * 1000) {
        askedAt = at.getTime();
        void refresh(at);
      }
      return known;
    },
  };
}
