import { AsyncLocalStorage } from "node:async_hooks";

const scope = new AsyncLocalStorage<string>();

/**
 * Does work on behalf of one request of the outside world: everything it calls, however deep, logs that request's id and tells it to
 * providers. Ids are made by us or read from the log of events, never taken from a caller.
 */
export const correlated = <T>(correlationId: string, work: () => T): T => scope.run(correlationId, work);

/** Starts what outlives the request that happened to need it first, such as a connection that others will share. */
export const uncorrelated = <T>(work: () => T): T => scope.exit(work);

/** The id of the request on whose behalf this runs; undefined for what the product does by itself. */
export const currentCorrelation = (): string | undefined => scope.getStore();
