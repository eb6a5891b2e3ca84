import { z } from "zod";

/** Kinds of form answers. Each schema accepts an input's text and reports the given message. */

/** Accepted for a required field if the record is old enough to be found without it. */
export const notKnown = "I don't know";

/** True for 'I don't know', however it was typed. */
export const isNotKnown = (answer: unknown): boolean =>
  answer === null || (typeof answer === "string" && /^i don['’]?t know$/i.test(answer.trim()));

// Control characters come with pasted text, such as a word processor's soft line break. No form, mail or register needs
// them.
const controls = /[^\P{Cc}\t\n\r]/gu;
const withoutControls = (text: string): string => text.replace(controls, " ");

/** Required text. */
export const required = (message: string, most = 200) =>
  z
    .string(message)
    .overwrite(withoutControls)
    .trim()
    .min(1, message)
    .max(most, `Use ${most} characters or fewer`);

/** Optional text; absent and null become empty. */
export const optional = (most = 200) =>
  z
    .string()
    .overwrite(withoutControls)
    .trim()
    .max(most, `Use ${most} characters or fewer`)
    .nullish()
    .transform((text) => text ?? "");

/** One of a list. */
export const choice = <const Options extends readonly [string, ...string[]]>(
  options: Options,
  message: string,
) => z.string(message).pipe(z.enum(options, message));

/** One of a list, or nothing: absent, null and empty become null. */
export const optionalChoice = <const Options extends readonly [string, ...string[]]>(options: Options) =>
  z
    .string()
    .nullish()
    .transform((text) => (text ? text : null))
    .pipe(z.enum(options).nullable());

/** A yes or no: the text of a radio button, or a boolean from JSON. */
export const yesOrNo = (message: string) =>
  z
    .union([z.boolean(), z.string()], message)
    .transform((answer) =>
      typeof answer === "boolean" ? (answer ? "yes" : "no") : answer.trim().toLowerCase(),
    )
    .pipe(z.enum(["yes", "no"], message))
    .transform((answer) => answer === "yes");

/**
 * A whole number from least to most, typed or from JSON. Separate messages may be given for non-numbers and for bounds.
 */
export const wholeNumber = (bounds: { least: number; most: number }, message: string, wrong = message) =>
  z
    .union([z.string(), z.number()], message)
    .transform((answer) => String(answer).trim())
    .pipe(
      z
        .string()
        .min(1, { error: message, abort: true })
        .regex(/^\d+$/, { error: wrong, abort: true })
        .transform(Number)
        .pipe(z.int(wrong).min(bounds.least, wrong).max(bounds.most, wrong)),
    );

/**
 * The same answer, or null where there is none. No union: of a union's failure the form library shows the first
 * branch's message instead of ours. Parsed even when its key is absent, so that absence gets our message or becomes
 * null.
 */
const orNull =
  (isNone: (answer: unknown) => boolean) =>
  <Input, Known>(known: z.ZodType<Known, Input>) =>
    z
      .custom<Input | null>()
      .nullish()
      .transform((answer, context) => {
        if (isNone(answer)) return null;
        const parsed = known.safeParse(answer);
        if (parsed.success) return parsed.data;
        for (const { message } of parsed.error.issues) context.addIssue({ code: "custom", message });
        return z.NEVER;
      });

/** Also accepts 'I don't know' and null, which become null. */
export const orNotKnown = orNull(isNotKnown);

/** Makes an answer optional: absent, empty, null and 'I don't know' become null. */
export const orNothing = orNull((answer) => answer === undefined || answer === "" || isNotKnown(answer));
