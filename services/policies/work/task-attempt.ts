import { isStorageError } from "../../../infra/telemetry/storage/storage-watch.ts";
import type { Mail, Mailer } from "../../providers/smtp/mailer.ts";
import { type PerformTaskDependencies, performTask } from "../perform-task.ts";
import type { AnyTask, Subject } from "../subject.ts";
import { isEarly, performable } from "../tasks/performable.ts";
import { pauseAfterError, pauseShortly } from "./retries.ts";
import type { Roads } from "./roads.ts";
import type { Clock } from "./worker-lease.ts";

/** What an attempt needs of the worker that owns its subject. */
type Owner = {
  readonly roads: Roads;
  readonly stopping: AbortSignal;
  /** Waits until a recent heartbeat says that this process still owns the subject. @throws LeaseLost */
  readonly confirm: () => Promise<void>;
  /** The subject as last read, or seen. */
  readonly known: () => Subject | undefined;
  /** Undefined where it cannot be read, which has been logged. */
  readonly read: () => Promise<Subject | undefined>;
  /** Nothing new may begin. */
  readonly mustEnd: () => boolean;
  /** Of an error because of which a mail that has left is not yet on record. */
  readonly report: (error: unknown) => void;
};

type Parts = PerformTaskDependencies & { readonly clock?: Clock };

/** The rest of a task may have changed until it finds its place. */
type Named = Pick<AnyTask, "name" | "kind">;

/** A stop waits for the record of a mail that has left. */
const neverAborts = new AbortController().signal;

/** One attempt at a task. A mail of it leaves once, however often its record is tried. */
export class TaskAttempt {
  readonly #parts: Parts;
  readonly #task: Named;
  readonly #owner: Owner;
  #isActing = false;
  #hasLeft = false;

  constructor(parts: Parts, task: Named, owner: Owner) {
    this.#parts = { ...parts, mailer: this.#once(parts.mailer) };
    this.#task = task;
    this.#owner = owner;
  }

  /** It has found its place, and may be sending something. */
  get isActing(): boolean {
    return this.#isActing;
  }

  /**
   * Once a mail has left, ends only when that is on record or no longer due: the next attempt would send it again. When
   * its worker stops, the record is still repeated as long as our storage fails, and no longer.
   * @throws LeaseLost and any other error, only while nothing has left
   */
  async run(): Promise<void> {
    const { roads, stopping } = this.#owner;
    let isOver = await roads.of(this.#task.kind).run((hasWaited) => this.#act(hasWaited));
    // Not in the mail's place: other mails can be recorded.
    for (let tries = 1; this.#hasLeft && !isOver && !stopping.aborted; tries += 1) {
      await pauseShortly(this.#parts, tries, stopping);
      isOver = await roads.log.run(() =>
        this.#record().catch((error: unknown) => this.#recordThroughOutages(error)),
      );
    }
  }

  #once(mailer: Mailer): Mailer {
    const send = async (mail: Mail) => {
      if (!this.#hasLeft) await mailer.send(mail);
      this.#hasLeft = true;
    };
    return { ...mailer, send };
  }

  async #act(hasWaited: boolean): Promise<boolean> {
    const { known, read, confirm, mustEnd } = this.#owner;
    const subject = hasWaited ? await read() : known();
    await confirm();
    if (mustEnd()) return true;
    this.#isActing = true;
    return this.#perform(subject).catch((error: unknown) => {
      if (!this.#hasLeft) throw error;
      return this.#recordThroughOutages(error);
    });
  }

  /** @returns whether it is done, or no longer due: the subject may have changed since the task was found */
  async #perform(subject: Subject | undefined): Promise<boolean> {
    if (!subject) return false;
    const at = this.#parts.now();
    const task = performable(this.#parts, subject, at).find(({ owed }) => owed.name === this.#task.name);
    if (!task || (!this.#hasLeft && isEarly(task.owed, at))) return true;
    return (await performTask(this.#parts, subject, task)) === undefined;
  }

  /** Performs it once more, for its record: the mail does not leave again. */
  async #record(): Promise<boolean> {
    return this.#perform(await this.#owner.read());
  }

  /** Repeats the record as long as our storage fails. @returns whether it is there, or no longer due */
  async #recordThroughOutages(first: unknown): Promise<boolean> {
    const { report } = this.#owner;
    let error = first;
    for (let tries = 1; isStorageError(error); tries += 1) {
      report(error);
      await pauseAfterError(this.#parts, tries, neverAborts);
      try {
        return await this.#record();
      } catch (next) {
        error = next;
      }
    }
    report(error);
    return false;
  }
}
