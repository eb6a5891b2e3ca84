import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { choice, optional, yesOrNo } from "../forms/answers.ts";
import type { DateRule } from "../forms/event-date.ts";
import { type RegistrationLocation, registrationLocations } from "../forms/options.ts";
import type { CertificateType } from "../order/vocabulary.ts";

/** Each question about a certificate is described once, for all its uses. */

/** One question. */
export interface Field {
  /** The label in form and review; the form adds "(optional)" if it is. */
  readonly label: string;
  readonly hint?: string;
  readonly optional?: true;
  readonly rule: z.ZodType | DateRule;
  /**
   * The GRO's key for the answer, and the part of section 3's payload that holds it: `certificateDetails` unless named.
   */
  readonly key: string;
  readonly part?: "eventDetails" | "application";
  /** A second key for the same answer. Only `key` is read. */
  readonly alias?: string;
  /** The label on the printed form, if different. */
  readonly printed?: string;
  /** The initial value. */
  readonly start?: string;
  readonly answeredBy?: "yes or no";
  /** Asked only if another question has this answer. */
  readonly onlyIf?: { readonly field: string; readonly is: string };
}

/** A form's questions by name, in page order. */
export type FieldTable = Readonly<Record<string, Field>>;

/** Whether it is a date, whose rules differ between form and payload. */
export const isDate = (rule: Field["rule"]): rule is DateRule => "unknownPart" in rule;

type FormRule<Rule> = Rule extends { readonly form: (today: string) => infer Schema } ? Schema : Rule;

type FormRules<Fields extends FieldTable> = { [Name in keyof Fields]: FormRule<Fields[Name]["rule"]> };

/** The rules of a form. `today` is the day in London. */
export function formRules<Fields extends FieldTable>(fields: Fields, today: CalendarDate): FormRules<Fields>;
export function formRules(fields: FieldTable, today: CalendarDate): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { rule }]) => [name, isDate(rule) ? rule.form(today) : rule]),
  );
}

/** The label as the form has it. */
export const formLabel = ({ label, optional }: Field): string => (optional ? `${label} (optional)` : label);

/** The name on the printed form. */
export const printedName = ({ label, printed }: Field): string => printed ?? label.replace("'", "’");

/** The answers in this part of the payload, by key. An alias precedes its key. */
export function keysOf(fields: FieldTable, part: Field["part"]): string[] {
  return Object.values(fields)
    .filter((field) => field.part === part)
    .flatMap(({ key, alias }) => (alias === undefined ? [key] : [alias, key]));
}

/** The value at a path; undefined if there is none. */
export const valueAt = (answer: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
    answer,
  );

/** The valid answers of any form. */
export interface Details {
  readonly registrationLocation: RegistrationLocation;
  readonly groReferenceKnown: boolean;
  readonly groReference: string;
  readonly gender?: string;
  readonly applyingForOwn?: boolean;
  readonly adopted?: boolean;
  readonly [name: string]: unknown;
}

/** A rule about several answers, each of them valid on its own. */
export interface SharedRule {
  /** The form path of the answer that shows the message. */
  readonly path: readonly [string, ...string[]];
  readonly message: string;
  readonly isBroken: (answers: unknown, today: CalendarDate) => boolean;
  /**
   * The answers it depends on. Once they are given, the rule applies even while other answers are wrong.
   */
  readonly decidable: z.ZodType;
}

/** A line of the review: an answer under its own label, or several answers under a common name. */
export type ReviewLine<Name extends string = string> =
  | Name
  | { readonly name: string; readonly answers: readonly Name[] };

/** The complete description of one certificate type, except its form's layout. */
export interface Certificate<Name extends string = string> {
  readonly type: CertificateType;
  /** The form's name in drafts. */
  readonly form: "birth" | "death" | "marriage" | "adoption";
  readonly fields: Readonly<Record<Name, Field>>;
  readonly details: (today: CalendarDate) => z.ZodType<Details>;
  readonly rules: readonly SharedRule[];
  readonly review: readonly ReviewLine<Name>[];
  /** Payload values that the form does not ask for. */
  readonly adopted: boolean;
  /** Keys of certificateDetails that join several answers, with the joined keys. */
  readonly joined?: Readonly<Record<string, readonly string[]>>;
  /** Keys of certificateDetails whose position differs from the form's. */
  readonly firstKeys?: readonly string[];
  readonly lastKeys?: readonly string[];
}

/** A form's schema with the rules about several answers. `today` is the day in London. */
export const withRules = <Schema extends z.ZodType>(
  schema: Schema,
  rules: readonly SharedRule[],
  today: CalendarDate,
): Schema =>
  rules.reduce<Schema>(
    (ruled, { path, message, isBroken, decidable }) =>
      ruled.refine((answers) => !isBroken(answers, today), {
        path: [...path],
        error: message,
        when: ({ value }) => decidable.safeParse(value).success,
      }),
    schema,
  );

/** What every form asks about the entry in the register. */

export const location = {
  registrationLocation: {
    label: "Registration location",
    rule: choice(registrationLocations, "Registration location is required"),
    part: "eventDetails",
    key: "EventRegistrationLocation",
    printed: "Registered in",
    start: registrationLocations[0],
  },
} as const satisfies FieldTable;

export const reference = {
  groReferenceKnown: {
    label: "Do you know the GRO Reference Number?",
    hint: "You’ll find it in the GRO index. It speeds up the search. You can order without it.",
    rule: yesOrNo("Please select Yes or No"),
    answeredBy: "yes or no",
    part: "eventDetails",
    key: "GROReferenceKnown",
    printed: "GRO reference known",
  },
  groReference: {
    label: "GRO reference",
    hint: "Enter it as written. Leave it blank if you don’t have it to hand.",
    optional: true,
    // Its length counts only where it is asked for: `referenceRules`.
    rule: optional(Number.POSITIVE_INFINITY),
    part: "application",
    key: "gro",
    printed: "GRO index reference",
  },
} as const satisfies FieldTable;

/** The longest reference, in characters. */
export const longestReference = 200;

const askedReference = z.object({ groReferenceKnown: z.literal(true), groReference: z.string() });

/** A reference that was typed before No was chosen is hidden, and not sent. */
export const referenceRules: readonly SharedRule[] = [
  {
    path: ["groReference"],
    message: `Use ${longestReference} characters or fewer`,
    isBroken: (answers) =>
      (askedReference.safeParse(answers).data?.groReference.length ?? 0) > longestReference,
    decidable: z.object({ groReferenceKnown: z.boolean(), groReference: z.string() }),
  },
];
