/** A doubt about an answer that may be right. */
export interface Doubt {
  readonly message: string;
  /** A suggested answer, to accept with one click. */
  readonly suggestion?: string;
}

/** A doubt about one field, shown beside it without blocking the form. */
export interface Question extends Doubt {
  /** The field's path in the form, such as `dateOfBirth.year`. */
  readonly field: string;
}

/** Attaches a doubt, if any, to a field. */
export const ask = (field: string, doubt: Doubt | undefined): Question | undefined =>
  doubt && { field, ...doubt };

/** Filters out undefined. */
export const questions = (...asked: readonly (Question | undefined)[]): Question[] =>
  asked.filter((question) => question !== undefined);
