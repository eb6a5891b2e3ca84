import { certificateTypes } from "../../../domain/forms/options.ts";
import { type Draft, draftOf } from "../../ordering/draft/draft.ts";

/** The fresh draft that `?type=` asks for, in any case; undefined for anything that is no type. */
export function draftAsked(asked: string): Draft | undefined {
  const wanted = asked.trim().toLowerCase();
  const type = certificateTypes.find((name) => name.toLowerCase() === wanted);
  return type && draftOf(type);
}
