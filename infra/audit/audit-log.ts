import { hash } from "node:crypto";
import { beginning, type EventStore, type Position, type StoredEvent } from "../event-store/event-store.ts";
import { eventIfThere } from "../log-binding/log-binding.ts";
import { type Bytes, isEqual } from "../transparency/formats/bytes.ts";
import { type TilePlace, tileWidth } from "../transparency/formats/tiles.ts";
import type { Tree } from "../transparency/formats/verify-proofs.ts";
import type { TreeReach } from "../transparency/tree-records.ts";
import {
  type AuditProblem,
  bookBroken,
  chainBroken,
  cutShort,
  differs,
  forked,
  otherLog,
  rewritten,
  tileDamaged,
} from "./audit-problem.ts";
import type { ReadState } from "./audit-progress.ts";
import { type AuditedTree, leafHasher, readSigned, type SignedTrees } from "./audited-tree.ts";
import { BookBroken, type CheckpointBook, type SignedCheckpoint } from "./checkpoint-book.ts";
import { compareLeaves, damagedAbove } from "./compare-tiles.ts";
import { GrowingTree } from "./growing-tree.ts";
import { nameDamage } from "./name-damage.ts";
import { type EventRead, endOf, type PieceRead, readPieces } from "./read-log.ts";

export type AuditReport = {
  readonly events: number;
  readonly streams: number;
  /** Signed checkpoints compared with the log. */
  readonly checkpoints: number;
  /** Of the last event read. */
  readonly position: Position;
  readonly rollingHash: string;
  /** Of the tree over the events read; undefined where no tree is compared. */
  readonly root: Bytes | undefined;
  readonly eventId: string | null;
  readonly logId: string;
  readonly problem: AuditProblem | null;
  /** At the newest signed checkpoint; undefined without one, or with a problem. */
  readonly verified: ReadState | undefined;
  /** Where the audit went on; undefined when it began with the first event. */
  readonly from: ReadState | undefined;
};

export type AuditOptions = {
  readonly store: Pick<EventStore, "readAll" | "readStream" | "eventAt" | "logId">;
  /** Checkpoints of older builds. */
  readonly book?: Pick<CheckpointBook, "read"> | undefined;
  /** Undefined when only the log's own hashes are checked. */
  readonly tree?: AuditedTree | undefined;
  /** Where to go on; the log's beginning when undefined. */
  readonly from?: ReadState | undefined;
  /** Further checkpoints that the log must extend. */
  readonly seen?: readonly Tree[];
  /** Pieces of the log that are read at the same time (1). More are quicker, and take more memory. */
  readonly atOnce?: number;
  readonly signal?: AbortSignal;
  /** Called with the number of events found intact. */
  readonly onProgress?: (events: number) => void;
  /** Called as each piece is found intact, with a state to go on from. */
  readonly onReached?: (state: ReadState) => Promise<void>;
  /** Called for each event that agrees with its stream. */
  readonly onEvent?: (event: StoredEvent) => void;
};

/**
 * Reads the log and checks it against its own hashes, its tree, and all that was signed. Stops at the first broken
 * event, because nothing after it proves anything.
 * @throws the store's errors; the signal's reason
 */
export async function auditLog(options: AuditOptions): Promise<AuditReport> {
  const { store, book, tree, seen = [] } = options;
  const logId = await store.logId();
  const inBook = await readBook(book);
  const inTree = tree && (await readSigned(tree, seen));
  const early = "problem" in inBook ? inBook.problem : inTree && "problem" in inTree && inTree.problem;
  const trees = inTree && !("problem" in inTree) ? inTree : undefined;
  const from = await usable(options, trees?.kept);
  const run = new LogAudit(options, {
    ...{ logId, from, trees },
    book: "problem" in inBook ? [] : sinceBaseline(inBook.checkpoints),
    size: (await tree?.size()) ?? 0,
  });
  return run.report(early || (await run.readToTheEnd()));
}

/** Where to go on: undefined when the event is not in the log any more, or what is signed was passed by. */
async function usable({ store, from }: AuditOptions, kept: Tree | undefined): Promise<ReadState | undefined> {
  if (!from || (kept && from.tree.size > kept.size)) return undefined;
  if (from.tree.size === 0) return from;
  return (await eventIfThere(store, from.position))?.id === from.eventId ? from : undefined;
}

type Expected = {
  readonly logId: string;
  readonly from: ReadState | undefined;
  readonly book: readonly SignedCheckpoint[];
  readonly trees: SignedTrees | undefined;
  /** Of the stored tree, when the audit began. */
  readonly size: number;
};

class LogAudit {
  readonly #options: AuditOptions;
  readonly #expected: Expected;
  readonly #inBook: readonly SignedCheckpoint[];
  readonly #tree: GrowingTree;
  #reached: DigestAt;
  #streams: number;
  /** How many of the book's checkpoints were compared. */
  #compared = 0;
  /** The sizes of signed trees that were compared. */
  #met: number;
  /** The last event before the first whose leaf is not the stored one. */
  #agreed: TreeReach | undefined;
  #damaged: TilePlace | undefined;
  #contradicted: Tree | undefined;
  #bookProblem: AuditProblem | undefined;
  #verified: ReadState | undefined;

  constructor(options: AuditOptions, expected: Expected) {
    this.#options = options;
    this.#expected = expected;
    const { from } = expected;
    this.#tree = new GrowingTree(from?.tree.size, from?.tree.subtrees);
    this.#streams = from?.streams ?? 0;
    this.#met = from?.checkpoints ?? 0;
    this.#reached = from
      ? { ...from, count: from.tree.size }
      : { ...emptyDigest, position: beginning, eventId: "" };
    const { count } = this.#reached;
    this.#inBook = from ? expected.book.filter((checkpoint) => checkpoint.count > count) : expected.book;
  }

  async readToTheEnd(): Promise<AuditProblem | null> {
    const { store, tree, atOnce = 1, signal, onEvent, onProgress, onReached } = this.#options;
    const foreign = this.#inBook.find(({ logId }) => logId !== this.#expected.logId);
    if (foreign) return otherLog(foreign);
    const { count: size, position, eventId } = this.#reached;
    if (size > 0) this.#meetSigned();
    const pieces = readPieces({
      ...{ store, signal, onEvent, atOnce, from: { size, position, eventId } },
      marks: atOnce > 1 && tree ? await tree.marksAfter(size) : [],
      leafOf: tree && leafHasher(this.#expected.logId, tree),
    });
    for await (const piece of pieces) {
      const problem = await this.#take(piece);
      if (problem) return problem;
      if (!this.#agreed && !this.#bookProblem) await onReached?.(this.#state());
      onProgress?.(this.#reached.count);
    }
    return this.#atTheEnd();
  }

  async #take(piece: PieceRead): Promise<AuditProblem | null> {
    const { tree } = this.#options;
    if (tree && !this.#agreed) {
      const { agreed, damaged } = await compareLeaves(piece, tree.tiles, this.#expected.size);
      this.#agreed = agreed;
      this.#damaged ??= damaged;
    }
    for (const event of piece.events) this.#takeOne(event);
    if (piece.broken) return this.#name({ last: this.#agreed ?? endOf(piece), broken: piece.broken });
    const kept = this.#expected.trees?.kept;
    if (!kept || this.#contradicted !== kept) return null;
    return this.#agreed ? this.#name({ last: this.#agreed, broken: undefined }) : rewritten(kept);
  }

  #takeOne(event: EventRead): void {
    this.#reached = digestAfter(this.#reached, event, event.hash);
    if (event.revision === 0) this.#streams += 1;
    for (; this.#inBook[this.#compared]?.count === this.#reached.count; this.#compared += 1) {
      if (!agrees(this.#inBook[this.#compared], this.#reached)) this.#bookProblem ??= differs(this.#reached);
    }
    if (!event.leaf) return;
    this.#tree.add(event.leaf);
    if (this.#meetSigned()) this.#met += 1;
  }

  /** Compares with each tree that was signed at this size; returns whether there is one. */
  #meetSigned(): boolean {
    const { kept, seen } = this.#expected.trees ?? { kept: undefined, seen: [] };
    const signedHere = [...seen, ...(kept ? [kept] : [])].filter(({ size }) => size === this.#tree.size);
    for (const signed of signedHere) {
      if (!isEqual(this.#tree.root(), signed.root)) this.#contradicted = signed;
      else if (signed === kept) this.#verified = this.#state();
    }
    return signedHere.length > 0;
  }

  /** Before and in this read. */
  get #checkpoints(): number {
    return this.#met + this.#compared;
  }

  async #atTheEnd(): Promise<AuditProblem | null> {
    const kept = this.#expected.trees?.kept;
    const { count } = this.#reached;
    const last = this.#agreed;
    if (kept && count < kept.size)
      return last ? this.#name({ last, broken: undefined }) : cutShort(count, kept.size);
    if (kept && this.#contradicted) return forked(this.#contradicted, kept);
    if (last && (!kept || last.size >= kept.size)) return this.#name({ last, broken: undefined });
    const damaged = await this.#damagedTile();
    if (damaged) return tileDamaged(damaged);
    const newest = this.#inBook.at(-1);
    if (this.#bookProblem) return this.#bookProblem;
    return newest && this.#compared < this.#inBook.length ? cutShort(count, newest.count) : null;
  }

  /** The events are what was signed: where they disagree with a tile, the tile is wrong. */
  async #damagedTile(): Promise<TilePlace | undefined> {
    const { tree } = this.#options;
    if (this.#agreed) return { level: 0, number: Math.floor(this.#agreed.size / tileWidth) };
    if (this.#damaged || !tree) return this.#damaged;
    return damagedAbove(tree.tiles, Math.min(this.#expected.size, this.#reached.count));
  }

  async #name({ last, broken }: Pick<PieceRead, "broken"> & { last: TreeReach }): Promise<AuditProblem> {
    const { store, tree } = this.#options;
    const { logId, trees } = this.#expected;
    if (tree) return nameDamage({ store, logId, tree, signed: trees?.kept, last, broken });
    return broken ? chainBroken(broken) : rewritten(undefined, last.size);
  }

  #state(): ReadState {
    const { position, eventId, rollingHash } = this.#reached;
    return {
      logId: this.#expected.logId,
      ...{ position, eventId, rollingHash },
      ...{ streams: this.#streams, checkpoints: this.#checkpoints },
      tree: new GrowingTree(this.#tree.size, this.#tree.subtrees),
    };
  }

  report(problem: AuditProblem | null): AuditReport {
    const { count, position, rollingHash, eventId } = this.#reached;
    return {
      events: count,
      streams: this.#streams,
      checkpoints: this.#checkpoints,
      position,
      rollingHash,
      root: this.#options.tree && this.#tree.root(),
      eventId: eventId || null,
      logId: this.#expected.logId,
      problem,
      verified: problem ? undefined : this.#verified,
      from: this.#expected.from,
    };
  }
}

/** Summary of the log up to an event: the count, and a hash over each event in order. */
type LogDigest = { readonly count: number; readonly rollingHash: string };

const emptyDigest: LogDigest = { count: 0, rollingHash: "0".repeat(64) };

type DigestAt = LogDigest & { readonly position: Position; readonly eventId: string };

/** The digest after one more event, of this hash. */
const digestAfter = (
  { count, rollingHash }: LogDigest,
  { id, position }: Pick<StoredEvent, "id" | "position">,
  eventHash: string,
): DigestAt => ({
  count: count + 1,
  rollingHash: hash("sha256", `${rollingHash}\n${eventHash}`, "hex"),
  position,
  eventId: id,
});

/** Whether a digest equals the one signed at the same event count. */
const agrees = (checkpoint: SignedCheckpoint | undefined, reached: DigestAt): boolean =>
  checkpoint?.rollingHash === reached.rollingHash && checkpoint.eventId === reached.eventId;

/** The checkpoints still in force: the last accepted baseline and those after it. */
function sinceBaseline(checkpoints: readonly SignedCheckpoint[]): readonly SignedCheckpoint[] {
  const from = checkpoints.findLastIndex(({ baseline }) => baseline);
  return from < 0 ? checkpoints : checkpoints.slice(from);
}

async function readBook(
  book: AuditOptions["book"],
): Promise<{ checkpoints: readonly SignedCheckpoint[] } | { problem: AuditProblem }> {
  try {
    return { checkpoints: (await book?.read()) ?? [] };
  } catch (error) {
    if (!(error instanceof BookBroken)) throw error;
    return { problem: bookBroken(error) };
  }
}
