import type { Actor, ActorKind } from "./decider.ts";

/** Limit on one kind of request over the life of an order or ticket. */
export interface Limit<Rule extends string> {
  /** The refusal's rule. */
  readonly rule: Rule;
  /** The limit on events of the type, by all actors together. */
  readonly most: number;
  /** Lower for customers, so that staff can still help after a customer reaches it. */
  readonly byCustomer?: number;
}

/** Counts of the limited events. */
export type Counts = Readonly<Record<string, number>>;

interface Limits<Rule extends string> {
  /** The counts after one more event. */
  counted(counts: Counts, type: string): Counts;
  /** The limit that these events would exceed; undefined for policies and providers, which have none. */
  reached(
    counts: Counts,
    events: readonly { readonly type: string }[],
    by: Actor,
  ): { readonly rule: Rule; readonly most: number } | undefined;
}

/**
 * Limits by the event that a request leads to. Each accepted request adds to the stream that every later one reads, and
 * some send mail: without a limit, a customer could make each request more expensive than the last. The numbers are far
 * above any real need.
 * @param alsoCounted further types that a decision asks about
 */
export function limitsOf<Rule extends string>(
  limits: Readonly<Record<string, Limit<Rule>>>,
  alsoCounted: readonly string[] = [],
): Limits<Rule> {
  const types = new Set([...Object.keys(limits), ...alsoCounted]);
  const limitOn = (type: string) => (Object.hasOwn(limits, type) ? limits[type] : undefined);
  return {
    counted: (counts, type) => (types.has(type) ? { ...counts, [type]: (counts[type] ?? 0) + 1 } : counts),
    reached(counts, events, { kind }) {
      for (const { type } of events) {
        const limit = limitOn(type);
        const most = mostFor(limit, kind);
        if (limit && (counts[type] ?? 0) >= most) return { rule: limit.rule, most };
      }
      return undefined;
    },
  };
}

function mostFor(limit: Limit<string> | undefined, kind: ActorKind): number {
  if (!limit || (kind !== "customer" && kind !== "staff")) return Number.POSITIVE_INFINITY;
  return kind === "customer" ? (limit.byCustomer ?? limit.most) : limit.most;
}
