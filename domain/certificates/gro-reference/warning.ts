import type { PartName } from "./reference-parts.ts";

/** A possible mistake, which may be correct after all. */
export interface ReferenceWarning {
  /** The part concerned, if any. */
  readonly part: PartName | null;
  readonly message: string;
}
