import { titles } from "../../../domain/forms/options.ts";
import type { Applicant } from "./application-payload.ts";

/** First and last name out of a full name with its title: the title goes, the last word is the last name. */
export function applicantNamed(fullName: string): Applicant {
  const words = fullName.trim().split(/\s+/);
  const titled = titles.some((title) => title === words[0]);
  const names = titled ? words.slice(1) : words;
  return { customerFirstName: names.slice(0, -1).join(" "), customerLastName: names.at(-1) ?? "" };
}
