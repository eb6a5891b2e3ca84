import { LeaseLost } from "./lease.ts";

/**
 * The steps of a turn, one after the other, in the order of the calls. The first that fails is the last: what the
 * database has then is not known, and the next turn reads it.
 */
export class Steps {
  #last: Promise<unknown> = Promise.resolve();
  #areOver = false;

  /** @throws LeaseLost once they are over */
  run<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      if (this.#areOver) throw new LeaseLost();
      try {
        return await step();
      } catch (error) {
        this.#areOver = true;
        throw error;
      }
    });
    this.#last = done.catch(() => undefined); // Its caller has the reason.
    return done;
  }

  /** Lets no other step begin, and waits for the one under way. */
  async end(): Promise<void> {
    this.#areOver = true;
    await this.#last;
  }
}
