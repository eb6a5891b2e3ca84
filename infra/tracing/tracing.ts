import { createHash } from "node:crypto";

/** What is known of a span: ids of ours, names from closed lists, numbers. Never what a person typed. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work that is worth its own bar in a trace. */
export type Work = {
  /** From a closed list: it names the kind of work, not the one it is about. */
  readonly name: string;
  /** `server` answers somebody outside, `client` asks somebody outside, `internal` is neither. */
  readonly kind: "server" | "client" | "internal";
  readonly attributes?: Attributes;
  /**
   * The request of the outside world that it is done for. All work of one id is one trace, whichever process does it and however much later;
   * without one it belongs to the work it is called from.
   */
  readonly correlationId?: string | undefined;
  /** True for the request itself, with which the trace of that id begins. */
  readonly begins?: boolean;
};

/** The span at hand. */
export type Span = { note(attributes: Attributes): void };

/** Where a process says what it spent its time on. */
export interface Tracing {
  /** Does the work and notes how long it took and whether it threw; answers and throws what the work does. */
  span<T>(work: Work, run: (span: Span) => Promise<T>): Promise<T>;
  /** The span at hand as a W3C `traceparent`, for a provider that keeps traces too. */
  traceparent(): string | undefined;
  /** Sends what was not sent yet. */
  close(): Promise<void>;
}

const nothing: Span = { note: () => undefined };

/** What costs nothing but the call. */
export const untraced: Tracing = {
  span: (_work, run) => run(nothing),
  traceparent: () => undefined,
  close: async () => undefined,
};

/** The ids that all processes agree on without asking each other: those of the trace of a correlation id, and of its first span. */
export type TraceIds = { readonly traceId: string; readonly spanId: string };

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * A UUID without its dashes is a trace id already, so that whoever has the id of a request finds its trace by it; any other id is
 * hashed into one.
 */
export function traceIdsOf(correlationId: string): TraceIds {
  const digest = createHash("sha256").update(correlationId).digest("hex");
  const traceId = uuid.test(correlationId) ? correlationId.replaceAll("-", "") : digest.slice(0, 32);
  return { traceId, spanId: digest.slice(32, 48) };
}
