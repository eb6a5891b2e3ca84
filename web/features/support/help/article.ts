/** A question that customers ask, and its answer. Plain text, so that it can be searched and read by anything. */
export interface Article {
  /** Part of an address: `/support#where-is-it`. */
  readonly id: string;
  readonly question: string;
  /** The answer, a text for each paragraph. */
  readonly answer: readonly string[];
  /** Words that people use for it and that stand in neither. */
  readonly otherWords?: string;
  /** Where to go from here. */
  readonly link?: { readonly to: string; readonly words: string };
}
