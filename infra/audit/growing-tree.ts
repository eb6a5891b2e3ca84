import type { Bytes } from "../transparency/formats/bytes.ts";
import { emptyRoot, nodeHash } from "../transparency/tree-hashes.ts";

/** A tree that leaves are added to. It keeps the roots of its complete subtrees alone: at most 53 hashes. */
export class GrowingTree {
  #size: number;
  readonly #subtrees: Bytes[];

  /**
   * @param subtrees of a tree of this size, largest first
   * @throws RangeError when a tree of this size has another number of them
   */
  constructor(size = 0, subtrees: readonly Bytes[] = []) {
    if (subtrees.length !== onesIn(size))
      throw new RangeError(`A tree of ${size} leaves has not ${subtrees.length} subtrees.`);
    this.#size = size;
    this.#subtrees = [...subtrees];
  }

  get size(): number {
    return this.#size;
  }

  get subtrees(): readonly Bytes[] {
    return [...this.#subtrees];
  }

  root(): Bytes {
    if (this.#size === 0) return emptyRoot;
    return this.#subtrees.reduceRight((right, left) => nodeHash(left, right));
  }

  add(leaf: Bytes): void {
    let hash = leaf;
    // Each pair of equal subtrees becomes one.
    for (let rest = this.#size; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      const left = this.#subtrees.pop();
      if (left) hash = nodeHash(left, hash);
    }
    this.#subtrees.push(hash);
    this.#size += 1;
  }
}

function onesIn(size: number): number {
  let ones = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2;
  return ones;
}
