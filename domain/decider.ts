import { z } from "zod";

/** Why a member of staff acted: a closed list, kept with the event. Anything beyond it is a note. */
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
  /** Names this command for ever: a repeat under the same id gets the first answer. */
  readonly commandId: string;
  /** When it is decided, ISO 8601 in UTC. The domain has no other clock. */
  readonly at: string;
  readonly actor: Actor;
  readonly correlationId: string;
  /** Why a member of staff gives it. */
  readonly reason?: StaffReason;
}

export interface Actor {
  readonly kind: ActorKind;
  readonly id: string;
}

export const actorKinds = ["customer", "staff", "system", "provider"] as const;
export type ActorKind = (typeof actorKinds)[number];

/** What the store knows of an event beside its type and data. */
export interface Recorded {
  readonly eventId: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Place in its stream, from 0. */
  readonly revision: number;
}

/** A pure model: fold the facts, then decide. An empty answer means that the request is already true. */
export interface Decider<State, Command, Event> {
  readonly initial: State;
  evolve(state: State, event: Event, recorded: Recorded): State;
  /** @throws Refused when a rule forbids it; then nothing has changed */
  decide(state: State, command: Command, metadata: CommandMetadata): readonly Event[];
}

/**
 * `unknown-order`, `unknown-ticket`: there is no such one. `forbidden-in-phase`: see `phase` and `rule`.
 * `wrong-amount`: `details.totalPence` is the right one. `impossible-quote`: no choice costs that; `details` has the
 * unit prices in pence by service level. `changed-meanwhile`: it has changed since the sender saw it;
 * `details.revision` is where it stands. `setting-refused`: see `rule` and `details`.
 */
export type RefusalCode =
  | "unknown-order"
  | "unknown-ticket"
  | "forbidden-in-phase"
  | "wrong-amount"
  | "impossible-quote"
  | "changed-meanwhile"
  | "setting-refused";

/** A request the rules forbid. Names the phase and the rule; carries nothing a person typed. */
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
    super(`${refusal.code}: ${refusal.rule} (${refusal.phase})`);
    this.code = refusal.code;
    this.phase = refusal.phase;
    this.rule = refusal.rule;
    this.details = refusal.details ?? {};
  }
}

type Message = { readonly type: string; readonly data: unknown };
type EventSchemas<Event extends Message> = {
  readonly [Type in Event["type"]]: {
    readonly data: z.ZodType<Extract<Event, { readonly type: Type }>["data"]>;
  };
};

/**
 * Parses what the log holds by the schema of its type. An unknown type or a field too many is an error, never skipped.
 */
export function eventSchema<Event extends Message>(schemas: EventSchemas<Event>): z.ZodType<Event>;
export function eventSchema(schemas: Readonly<Record<string, { readonly data: z.ZodType }>>): z.ZodType {
  const [first, ...rest] = Object.entries(schemas).map(([type, { data }]) =>
    z.strictObject({ type: z.literal(type), data }),
  );
  return first ? z.discriminatedUnion("type", [first, ...rest]) : z.never();
}
