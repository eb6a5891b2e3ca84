import type { StoredEvent } from "../event-store/event-store.ts";
import type { BrokenChain } from "../event-store/hash-chain.ts";
import type { Refusal } from "../transparency/checkpoint-signer.ts";
import { type TilePlace, tilePath } from "../transparency/formats/tiles.ts";
import type { Tree } from "../transparency/formats/verify-proofs.ts";
import type { BookBroken, SignedCheckpoint } from "./checkpoint-book.ts";

/** What an audit finds. */
export const auditProblemKinds = [
  /** An event's content is not what was appended. */
  "event-changed",
  /** The tree records events that the log lacks, and the log goes on. */
  "event-missing",
  /** The log has events that the tree does not record. */
  "event-inserted",
  "events-reordered",
  /** The newest events are gone. */
  "cut-short",
  /** The log agrees with itself, and not with what was signed. */
  "chain-rewritten",
  /** Two signed trees contradict each other. */
  "tree-forked",
  /** The checkpoint beside the keys is older than one that was seen. */
  "checkpoint-rolled-back",
  /** The log is what was signed, and a tile of its tree is not. */
  "tile-damaged",
  /** An event was changed, removed, moved or inserted where the tree cannot tell which. */
  "chain-broken",
  /** The log is consistent, but differs from the book's checkpoints. */
  "differs-from-checkpoint",
  /** The book's checkpoints belong to another log. */
  "other-log",
  /** The checkpoints themselves were changed. */
  "checkpoints-broken",
] as const;

export type AuditProblem = {
  readonly kind: (typeof auditProblemKinds)[number];
  /** Where, if known. */
  readonly stream: string | null;
  readonly revision: number | null;
  /** A sentence without personal data. */
  readonly words: string;
};

const figures = new Intl.NumberFormat("en-GB");

const of = (kind: AuditProblem["kind"], words: string, at?: StoredEvent | BrokenChain): AuditProblem => ({
  kind,
  stream: at?.stream ?? null,
  revision: at?.revision ?? null,
  words,
});

/** Events are counted from 1 in words. */
const nth = (index: number): string => figures.format(index + 1);

const named = (index: number, { revision, stream }: StoredEvent): string =>
  `Event ${nth(index)} of the log (${revision} of ${stream})`;

const events = (count: number): string => (count === 1 ? "1 event" : `${figures.format(count)} events`);

export const changed = (index: number, event: StoredEvent): AuditProblem =>
  of("event-changed", `${named(index, event)} is not what was appended: its content was changed.`, event);

export const missing = (index: number, count: number, next: StoredEvent): AuditProblem =>
  of(
    "event-missing",
    `${events(count)} missing after the first ${figures.format(index)} of the log: they are in its tree, and the log goes on with ${next.revision} of ${next.stream}.`,
    next,
  );

export const inserted = (index: number, count: number, event: StoredEvent): AuditProblem =>
  of(
    "event-inserted",
    `${named(index, event)} was inserted: ${events(count)} at that place ${count === 1 ? "is" : "are"} not in its tree, and those that follow are.`,
    event,
  );

export const reordered = (index: number, last: number, event: StoredEvent): AuditProblem =>
  of(
    "events-reordered",
    `The events ${nth(index)} to ${nth(last)} of the log are in another order than they were appended in.`,
    event,
  );

export const cutShort = (count: number, signedCount: number): AuditProblem =>
  of(
    "cut-short",
    `The log holds ${count} events, but ${signedCount} were signed: the newest ${signedCount - count} are gone.`,
  );

/** @param index of the first event that differs, if known */
export const rewritten = (
  signed: Pick<Tree, "size"> | undefined,
  index?: number,
  at?: StoredEvent,
): AuditProblem =>
  of(
    "chain-rewritten",
    `The log was rewritten: its own hashes agree, but ${index === undefined ? "its events" : `its events from number ${nth(index)} on`} are not those ${signed ? `of the signed checkpoint of ${events(signed.size)}` : "in its tree"}.`,
    at,
  );

export const forked = (older: Pick<Tree, "size">, newer: Pick<Tree, "size">): AuditProblem =>
  of(
    "tree-forked",
    `Two signed checkpoints contradict each other: the log of ${events(older.size)} is not the beginning of the log of ${events(newer.size)}. Two histories were signed.`,
  );

export const rolledBack = (kept: number, seen: number): AuditProblem =>
  of(
    "checkpoint-rolled-back",
    `The newest checkpoint beside the keys is ${kept === 0 ? "missing" : `one of ${events(kept)}`}, but one of ${events(seen)} was signed and seen: the key folder was set back to an earlier state.`,
  );

export const tileDamaged = (place: TilePlace): AuditProblem =>
  of(
    "tile-damaged",
    `The log is intact, but the tree's ${tilePath(place)} is damaged: its hashes are not those of the events.`,
  );

export const noteBroken = (where: string, reason: string): AuditProblem =>
  of("checkpoints-broken", `The transparency log's checkpoint ${where} is not what was signed. ${reason}`);

export const bookBroken = (error: BookBroken): AuditProblem => of("checkpoints-broken", error.message);

export const chainBroken = (error: BrokenChain): AuditProblem => of("chain-broken", error.message, error);

export const differs = ({ count, position }: Pick<SignedCheckpoint, "count" | "position">): AuditProblem =>
  of(
    "differs-from-checkpoint",
    `The first ${count} events, up to position ${position}, are not those that were signed: some were replaced, moved or removed.`,
  );

export const otherLog = ({ count }: Pick<SignedCheckpoint, "count">): AuditProblem =>
  of("other-log", `The signed checkpoint of ${events(count)} was made on another log than this one.`);

/** Why a log was not signed. */
export function unsigned({ why, size, signedSize }: Refusal): AuditProblem {
  if (why === "cut-short") return cutShort(size, signedSize);
  return why === "forked" ? rewritten({ size: signedSize }) : otherLog({ count: signedSize });
}
