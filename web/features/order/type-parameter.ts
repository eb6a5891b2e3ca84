import { type Draft, draftOf } from "../../draft/draft.ts";

/** What `?type=` asks for: a fresh draft, or the name of a type that cannot be ordered yet; neither for anything else. */
export interface TypeParameter {
  readonly draft?: Draft;
  readonly notOffered?: string;
}

/** Reads the type in any case. */
export function typeParameterOf(asked: string): TypeParameter {
  switch (asked.trim().toLowerCase()) {
    case "birth":
      return { draft: draftOf("Birth") };
    case "death":
      return { draft: draftOf("Death") };
    case "marriage":
      return { notOffered: "Marriage" };
    case "adoption":
      return { notOffered: "Adoption" };
    default:
      return {};
  }
}
