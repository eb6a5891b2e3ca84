/** The latest items, in memory only; older ones are dropped. */
export class Latest<T> {
  readonly #most: number;
  #items: readonly T[] = [];
  constructor(most: number) {
    this.#most = most;
  }
  add(item: T): void {
    this.#items = [item, ...this.#items].slice(0, this.#most);
  }
  /** Newest first. */
  get all(): readonly T[] {
    return this.#items;
  }
}
