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

/** A rule about several answers, each of them good by itself. */
export interface SharedRule {
  /** Where the message is shown: the path of an answer in the form. */
  readonly path: readonly [string, ...string[]];
  readonly message: string;
  readonly isBroken: (answers: unknown, today: CalendarDate) => boolean;
  /**
   * What must be answered to decide it. Then it is said even while other answers are wrong, and not only after all else
   * is right.
   */
  readonly decidable: z.ZodType;
}

/** A line of the review: an answer under its own label, or a name and the answers that stand in it. */
export type ReviewLine<Name extends string = string> =
  | Name
  | { readonly name: string; readonly answers: readonly Name[] };

/** All there is to know of one type of certificate, but for the layout of its form. */
export interface Certificate<Name extends string = string> {
  readonly type: CertificateType;
  /** What drafts call its form. */
  readonly form: "birth" | "death" | "marriage" | "adoption";
  readonly fields: Readonly<Record<Name, Field>>;
  readonly details: (today: CalendarDate) => z.ZodType<Details>;
  readonly rules: readonly SharedRule[];
  readonly review: readonly ReviewLine<Name>[];
  /** What the GRO is told where the form does not ask. */
  readonly adopted: boolean;
  /** Keys of certificateDetails that hold several answers in one, by the keys that they are joined from. */
  readonly joined?: Readonly<Record<string, readonly string[]>>;
  /** Keys of certificateDetails that do not stand where the form asks for them. */
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
