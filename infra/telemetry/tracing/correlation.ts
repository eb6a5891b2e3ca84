import { AsyncLocalStorage } from "node:async_hooks";

const scope = new AsyncLocalStorage<string>();

/**
 * Runs work for one external request: everything it calls logs that request's id and sends it to providers. Ids are
 * made by us or read from the event log, never taken from a caller.
 */
export const correlated = <T>(correlationId: string, work: () => T): T => scope.run(correlationId, work);

/** Starts something that outlives the request that first needed it, such as a shared connection. */
export const uncorrelated = <T>(work: () => T): T => scope.exit(work);

/** The id of the current request; undefined for background work. */
export const currentCorrelation = (): string | undefined => scope.getStore();
