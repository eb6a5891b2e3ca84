/** What looks wrong in an answer and may be right. */
export interface Doubt {
  readonly message: string;
  /** What may have been meant: an answer that can be taken with one press. */
  readonly suggestion?: string;
}

/** A doubt about one field: shown beside it, never in the way. */
export interface Question extends Doubt {
  /** The field's path in the form, such as `dateOfBirth.year`. */
  readonly field: string;
}

/** Asks a doubt, if there is one, of a field. */
export const ask = (field: string, doubt: Doubt | undefined): Question | undefined =>
  doubt && { field, ...doubt };

/** Keeps the questions that arose. */
export const questions = (...asked: readonly (Question | undefined)[]): Question[] =>
  asked.filter((question) => question !== undefined);
