import type { PartName } from "./reference-parts.ts";

/** Something that does not fit, and may be right all the same. */
export interface ReferenceWarning {
  /** The part it is about; null when it is about none. */
  readonly part: PartName | null;
  readonly message: string;
}
