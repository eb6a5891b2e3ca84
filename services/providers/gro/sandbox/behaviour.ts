import { z } from "zod";

/**
 * How the service treats the next submissions. `fail`: an error, nothing accepted. `timeout`: accepted, never answered.
 * `answerTwice`: each notice is sent twice, under different ids. `reject`: refused for good. `loseNotices`: no notice
 * is sent, and only status requests reveal the outcome.
 */
const mode = z.enum(["ok", "fail", "timeout", "answerTwice", "reject", "loseNotices"]);
export type Mode = z.infer<typeof mode>;

/** Without `times` the mode applies until the next change. */
export const behaviourChange = z.strictObject({ mode, times: z.int().min(1).max(1_000).optional() });

export const noticeCopies = (mode: Mode): number =>
  mode === "loseNotices" ? 0 : mode === "answerTwice" ? 2 : 1;

export class Behaviour {
  #mode: Mode = "ok";
  #times = Number.POSITIVE_INFINITY;

  set(change: z.infer<typeof behaviourChange>): void {
    this.#mode = change.mode;
    this.#times = change.times ?? Number.POSITIVE_INFINITY;
  }

  get current(): Mode {
    return this.#mode;
  }

  next(): Mode {
    const now = this.#mode;
    this.#times -= 1;
    if (this.#times <= 0) this.set({ mode: "ok" });
    return now;
  }
}
