/** Something that looks wrong and may be right: shown beside the field, never in the way. */
export interface Question {
  /** The field's path in the form, such as `dateOfBirth.year`. */
  readonly field: string;
  readonly message: string;
}

/** Keeps the questions that arose. */
export const questions = (...asked: readonly (Question | undefined)[]): Question[] =>
  asked.filter((question) => question !== undefined);
