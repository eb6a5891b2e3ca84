import type { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import type { RegistrationLocation } from "../forms/options.ts";
import type { CertificateType } from "../order/vocabulary.ts";
import type { Field } from "./fields.ts";

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
