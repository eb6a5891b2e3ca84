import { z } from "zod";

/** Why a member of staff acted: a closed list, stored with the event. Free text goes into a note. */
export const staffReason = z.enum([
  "customerAsked",
  "groPhoned",
  "groWrote",
  "groWebsite",
  "automationDown",
  "detailsWrong",
  "complaint",
  "goodwill",
  "ourMistake",
  "suspectedFraud",
  "orderedTwice",
  "lawRequires",
  "other",
]);
export type StaffReason = z.infer<typeof staffReason>;

/** Where a command comes from. Nothing in it may identify a person: `id` is opaque. */
export interface CommandMetadata {
  /** Permanent id: a repeat under the same id gets the first answer. */
  readonly commandId: string;
  /** Time of the decision, ISO 8601 in UTC. The domain has no other clock. */
  readonly at: string;
  readonly actor: Actor;
  readonly correlationId: string;
  /** Reason given by a member of staff. */
  readonly reason?: StaffReason;
}

export interface Actor {
  readonly kind: ActorKind;
  readonly id: string;
}

export const actorKinds = ["customer", "staff", "system", "provider"] as const;
export type ActorKind = (typeof actorKinds)[number];

/** An event's metadata. */
export interface Recorded {
  readonly eventId: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Revision in its stream, from 0. */
  readonly revision: number;
}

/** A pure model: fold the facts, then decide. No events means that the command's effect is already in place. */
export interface Decider<State, Command, Event> {
  readonly initial: State;
  evolve(state: State, event: Event, recorded: Recorded): State;
  /** @throws Refused when a rule forbids it */
  decide(state: State, command: Command, metadata: CommandMetadata): readonly Event[];
}

/**
 * `unknown-order`, `unknown-ticket`, `unknown-draft`, `unknown-checkout`: it does not exist. `forbidden-in-phase`: see `phase` and `rule`.
 * `wrong-amount`: `details.totalPence` is the right one. `impossible-quote`: the total matches no option; `details` has
 * the unit prices in pence by service level. `changed-meanwhile`: it has changed since the sender saw it;
 * `details.revision` is where it stands. `setting-refused`: see `rule` and `details`.
 */
type RefusalCode =
  | "unknown-order"
  | "unknown-ticket"
  | "unknown-draft"
  | "unknown-checkout"
  | "forbidden-in-phase"
  | "wrong-amount"
  | "impossible-quote"
  | "changed-meanwhile"
  | "setting-refused";

/**
 * A command that a rule forbids. Names phase and rule; carries no text typed by a person. It is an answer, so it has no
 * stack: read models ask the decider several times for each row, and taking the stack cost ten times the rest.
 */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: RefusalCode;
  readonly phase: string;
  /** Stable code of the rule, such as `already-submitted`. */
  readonly rule: string;
  readonly details: Readonly<Record<string, number | string | null>>;

  constructor(refusal: {
    code: RefusalCode;
    phase: string;
    rule: string;
    details?: Readonly<Record<string, number | string | null>>;
  }) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(`${refusal.code}: ${refusal.rule} (${refusal.phase})`);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = refusal.code;
    this.phase = refusal.phase;
    this.rule = refusal.rule;
    this.details = refusal.details ?? {};
  }
}

/** The first schema of an event's data. */
export const versionOne = <Data extends z.ZodType>(data: Data) => ({ version: 1, data }) as const;

type Message = { readonly type: string; readonly data: unknown };
type EventSchemas<Event extends Message> = {
  readonly [Type in Event["type"]]: {
    readonly data: z.ZodType<Extract<Event, { readonly type: Type }>["data"]>;
  };
};

/**
 * Parses a stored event by its type's schema. An unknown type or extra field is an error, never skipped.
 */
export function eventSchema<Event extends Message>(schemas: EventSchemas<Event>): z.ZodType<Event>;
export function eventSchema(schemas: Readonly<Record<string, { readonly data: z.ZodType }>>): z.ZodType {
  const [first, ...rest] = Object.entries(schemas).map(([type, { data }]) =>
    z.strictObject({ type: z.literal(type), data }),
  );
  return first ? z.discriminatedUnion("type", [first, ...rest]) : z.never();
}

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
