import type { Log } from "../../infra/process/log.ts";
import type { FigureQueries, PublicFacts } from "../../projections/figures.ts";

/** Of fewer orders a median says little, and the number says who they were. */
export const fewestOrders = 20;

const keptForSeconds = 60;

/** What anybody may know of how we have done; null while it is not known, or there are too few orders to tell. */
export type FactsOfService = { readonly current: () => PublicFacts | null };

type FactsParts = {
  readonly queries: Pick<FigureQueries, "publicFacts">;
  readonly now: () => Date;
  readonly log: Log;
};

/**
 * Keeps the facts for a minute. Whoever asks gets what is known at once, and what is older is counted anew behind their back: no page
 * waits for the database, or fails with it.
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
