import { type Due, dueBy } from "./evidence.ts";

/** How orders, tickets or saved drafts are read and judged. */
type Judging<State> = {
  readonly name: string;
  readonly read: (id: string) => Promise<State | undefined>;
  readonly phase: (state: State) => string;
  readonly owed: (state: State) => Promise<readonly Due[]>;
  readonly broken: (state: State) => Promise<string[]>;
  /** Records that may not be destroyed as it stands. */
  readonly needed: (state: State) => readonly (string | null)[];
};

type Acknowledged<State> = {
  readonly id: string;
  readonly words: string;
  readonly holds: (state: State) => boolean;
};

/** All orders, tickets or saved drafts of a seed, each read again after an event. */
export class Watched<State> {
  readonly #judging: Judging<State>;
  readonly #ids = new Set<string>();
  readonly #current = new Map<string, Promise<State | undefined>>();
  readonly #acknowledged: Acknowledged<State>[] = [];
  readonly #unreadable: string[] = [];

  constructor(judging: Judging<State>) {
    this.#judging = judging;
  }

  changed(id: string): void {
    this.#ids.add(id);
    this.#current.delete(id);
  }

  readonly acknowledge = (id: string, words: string, holds: (state: State) => boolean): void => {
    this.#acknowledged.push({ id, words, holds });
  };

  read(id: string): Promise<State | undefined> {
    const current = this.#current.get(id) ?? this.#readAgain(id);
    this.#current.set(id, current);
    return current;
  }

  async #readAgain(id: string): Promise<State | undefined> {
    try {
      return await this.#judging.read(id);
    } catch (error) {
      this.#unreadable.push(`${this.#judging.name} ${id} cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  /** Whether every rule holds already, and nothing falls due until then. */
  async isSettled(untilMs: number): Promise<boolean> {
    const { owed, broken } = this.#judging;
    for (const id of this.#ids) {
      const state = await this.read(id);
      if (!state || dueBy(await owed(state), untilMs).length > 0) return false;
      if ((await broken(state)).length > 0) return false;
    }
    return true;
  }

  /** What is destroyed although it is needed. */
  async destroyed(recordIds: readonly string[]): Promise<string[]> {
    const { name, phase, needed } = this.#judging;
    const found: string[] = [];
    for (const id of this.#ids) {
      const state = await this.read(id);
      const lost = state ? needed(state).filter((ref) => ref !== null && recordIds.includes(ref)) : [];
      if (state && lost.length > 0)
        found.push(`${name} ${id}, ${phase(state)}: ${lost.length} records were destroyed while needed`);
    }
    return found;
  }

  /** All that went wrong, in the words of the domain. */
  async findings(count: (what: string) => void): Promise<string[]> {
    const { name, phase, broken } = this.#judging;
    const found: string[] = [];
    for (const id of this.#ids) {
      const state = await this.read(id);
      if (!state) continue;
      count(`${name} ended ${phase(state)}`);
      for (const words of await broken(state)) found.push(`${name} ${id}, ${phase(state)}: ${words}`);
    }
    for (const { id, words, holds } of this.#acknowledged) {
      const state = await this.read(id);
      if (!state || !holds(state)) found.push(`${name} ${id}: acknowledged and lost: ${words}`);
    }
    return [...this.#unreadable, ...found];
  }
}
