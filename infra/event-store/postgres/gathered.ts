type Asking<Asked, Answer> = { readonly asked: Asked[]; readonly answer: Promise<Answer> };

/** Answered by one statement at most. */
const most = 64;

/** What is asked for in one turn of the loop is read with one statement. */
export class Gathered<Asked, Answer> {
  readonly #read: (asked: readonly Asked[]) => Promise<Answer>;
  #open: Asking<Asked, Answer> | undefined;

  constructor(read: (asked: readonly Asked[]) => Promise<Answer>) {
    this.#read = read;
  }

  /** The answer to all that was asked for together. */
  answerTo(asked: Asked): Promise<Answer> {
    if (!this.#open || this.#open.asked.length >= most) this.#open = this.#begin();
    this.#open.asked.push(asked);
    return this.#open.answer;
  }

  #begin(): Asking<Asked, Answer> {
    const asked: Asked[] = [];
    const answer = new Promise((gathered) => setImmediate(gathered)).then(() => {
      if (this.#open?.asked === asked) this.#open = undefined;
      return this.#read(asked);
    });
    return { asked, answer };
  }
}
