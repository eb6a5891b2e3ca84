/** Runs pieces of work one after the other, in the order of the calls. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined); // Its caller has the reason.
    return done;
  }
}
