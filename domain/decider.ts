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
 * `unknown-order`, `unknown-ticket`, `unknown-draft`: it does not exist. `forbidden-in-phase`: see `phase` and `rule`.
 * `wrong-amount`: `details.totalPence` is the right one. `impossible-quote`: the total matches no option; `details` has
 * the unit prices in pence by service level. `changed-meanwhile`: it has changed since the sender saw it;
 * `details.revision` is where it stands. `setting-refused`: see `rule` and `details`.
 */
type RefusalCode =
  | "unknown-order"
  | "unknown-ticket"
  | "unknown-draft"
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
