import { createHash } from "node:crypto";

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
