import type { SourceChange } from "../../change-sources.ts";
import type { Shared } from "../platform/product.ts";

/** A fault put into what the product relies on, or into the product, which must turn a run red. */
export type Plant = {
  readonly name: string;
  readonly words: string;
  /** What the rule that notices it says. */
  readonly finds: string;
  /** Of a fault that shows in one history of several hundred: where to begin (1). */
  readonly from?: number;
  readonly put?: (shared: Shared) => Shared;
  readonly changes?: readonly SourceChange[];
};
