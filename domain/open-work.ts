import { z } from "zod";
import * as field from "./fields.ts";
import { probeResult, purgeFailureCode } from "./order/vocabulary.ts";

/**
 * A purge that was started and has not ended. It is in the log before any key is erased, and names exactly what is
 * purged: from then on the records count as gone, so that no command reads them, adds to them or finds them missing.
 */
export interface OpenPurge<Rule extends string, Kind extends string> {
  /** The id of the event that started it, which its result names. */
  readonly startedBy: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly rule: Rule;
  readonly records: readonly { readonly ref: string; readonly kind: Kind }[];
}

/** A command's data: what came of the purge that an event started. `kind` of the records that were destroyed. */
export const purgeOutcome = <Kind extends z.ZodType<string>>(kind: Kind) =>
  z.discriminatedUnion("outcome", [
    z.strictObject({
      outcome: z.literal("purged"),
      startedBy: field.id,
      destroyed: z.array(kind).min(1),
      keyFingerprint: field.keyFingerprint,
      probe: probeResult,
      records: field.count,
    }),
    z.strictObject({
      outcome: z.literal("failed"),
      startedBy: field.id,
      code: purgeFailureCode,
      attempt: field.ordinal,
    }),
  ]);

/** An event's data: what is about to be purged, named before any key is erased. */
export const purgeStart = <Rule extends z.ZodType<string>, Kind extends z.ZodType<string>>(
  rule: Rule,
  kind: Kind,
) =>
  z.strictObject({
    rule,
    records: z.array(z.strictObject({ ref: field.vaultReference, kind })).min(1),
  });
