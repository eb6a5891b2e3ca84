import { z } from "zod";
import type { RegistrationLocation } from "./options.ts";
import { otherOfficeFor } from "./registration-office.ts";

/** Answers of a variant that its type does not ask in a way of its own. */

/** The GRO's index reference, or text that is empty: a bare yes or no is no reference. */
export const gro = z
  .union([z.string().trim().max(200, "Use 200 characters or fewer"), z.boolean()])
  .nullish()
  .transform((answer) => (typeof answer === "string" ? answer : ""));

/** Worked out again from other answers, so whatever was sent is dropped. */
export const ignored = z.unknown().optional();

/** A yes or no that may be left out. */
export const booleanOr = (otherwise: boolean) =>
  z
    .boolean()
    .nullish()
    .transform((answer) => answer ?? otherwise);

/** Why a certificate registered there cannot be ordered here, or undefined when it can. */
export const cannotOrderHere = (location: RegistrationLocation): string | undefined =>
  otherOfficeFor(location)?.advice;
