import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";

/** Attributes of a span: our ids, names from closed lists, numbers. Never personal data. */
type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Work that gets a span. */
export type Work = {
  /** From a closed list: names the kind of work, not its subject. */
  readonly name: string;
  /** `server` answers an external request, `client` makes one, `internal` does neither. */
  readonly kind: "server" | "client" | "internal";
  readonly attributes?: Attributes;
  /**
   * The external request it belongs to. All work of one id is one trace, whichever process does it and however much
   * later; without one it belongs to the calling work.
   */
  readonly correlationId?: string | undefined;
  /** True for the request itself, which starts the trace of that id. */
  readonly begins?: boolean;
};

/** The current span. */
type Span = { note(attributes: Attributes): void };

/** Records where a process spends its time. */
export interface Tracing {
  /** Runs the work, and records its duration and whether it threw; passes on its result or error. */
  span<T>(work: Work, run: (span: Span) => Promise<T>): Promise<T>;
  /** The current span as a W3C `traceparent`, for providers that trace too. */
  traceparent(): string | undefined;
  /** Sends pending spans. */
  close(): Promise<void>;
}

const nothing: Span = { note: () => undefined };

/** Tracing that is off. */
export const untraced: Tracing = {
  span: (_work, run) => run(nothing),
  traceparent: () => undefined,
  close: async () => undefined,
};

/** Ids on which all processes agree without communicating: those of a correlation id's trace and its first span. */
export type TraceIds = { readonly traceId: string; readonly spanId: string };

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A UUID without dashes is a trace id, so that a request's trace can be found by its id; any other id is hashed. */
export function traceIdsOf(correlationId: string): TraceIds {
  const digest = createHash("sha256").update(correlationId).digest("hex");
  const traceId = uuid.test(correlationId) ? correlationId.replaceAll("-", "") : digest.slice(0, 32);
  return { traceId, spanId: digest.slice(32, 48) };
}

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
