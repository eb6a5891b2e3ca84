import type { EventStore } from "../event-store/event-store.ts";
import type { Follower } from "../following/follower.ts";
import { nameOfError } from "../following/follower-faults.ts";
import { type Client, inTransaction, type Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import type { CheckpointFile, PublishedCheckpoint } from "./checkpoint-file.ts";
import { isEqual } from "./formats/bytes.ts";
import { formatCheckpoint } from "./formats/checkpoint.ts";
import { formatNote, type NoteSigner, parseNote, signNote } from "./formats/signed-note.ts";
import { formatNewestLeaf } from "./newest-leaf.ts";
import { rootAt } from "./tree-proofs.ts";
import { readReach, readTilesFrom, type TreeReach } from "./tree-records.ts";

type CheckpointSignerOptions = {
  readonly pool: Pool;
  readonly store: Pick<EventStore, "logId" | "head">;
  /** Only the process that grows the tree signs it. */
  readonly follower: Pick<Follower, "status">;
  readonly file: CheckpointFile;
  /** The log's name. */
  readonly origin: string;
  /** Newest first. Nothing is signed while there is none. */
  readonly signers: () => Promise<readonly NoteSigner[]>;
  readonly now: () => Date;
  readonly log: Log;
  /** Called after each round whose tree is signed. */
  readonly onSigned?: () => void;
  /** Called once for each finding. */
  readonly onRefused?: (refusal: Refusal) => Promise<void>;
  /** How often a checkpoint is signed when there are new events. */
  readonly signEverySeconds: number;
};

/**
 * What a round came to. Nothing is signed while the tree is `older` than what was signed and still grows, `cut-short` at
 * the log's end, `forked` from what was signed, or of another log.
 */
type Signing = "signed" | "nothing-new" | "standby" | "older" | Refusal["why"];

/** Why a log is not signed that is not what was signed before. */
export type Refusal = {
  readonly why: "cut-short" | "forked" | "other-log";
  /** Of the tree. */
  readonly size: number;
  readonly signedSize: number;
};

type CheckpointSigner = {
  start(): void;
  stop(): Promise<void>;
  /**
   * Signs the tree if it has grown, or lacks the signature of a present key, and agrees with the newest checkpoint beside
   * the keys.
   */
  signNow(): Promise<Signing>;
};

/**
 * Signs the tree at each round in which it has grown, or a key is new: first into the file beside the keys, then for
 * readers.
 */
export function createCheckpointSigner(options: CheckpointSignerOptions): CheckpointSigner {
  const { pool, store, follower, file, origin, signers, now, log, onSigned, onRefused, signEverySeconds } =
    options;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  let reported: Signing | undefined;

  async function signNow(): Promise<Signing> {
    if ((await follower.status()).state !== "following") return "standby";
    const logId = await store.logId();
    const present = await signers();
    if (present.length === 0) throw new Error("The transparency log has no key that signs.");
    const reach = await readReachOnDisk(pool);
    const { size, position, eventId } = reach;
    // The row is locked: of two processes that believe they hold the lease, one signs after the other.
    const outcome = await inTransaction(pool, async (client) => {
      const published = await lockPublished(client);
      const [kept, leaf] = [await file.read(), await file.readLeaf()];
      if (leaf && leaf.logId !== logId) return { why: "other-log", size, signedSize: leaf.size } as const;
      const trouble = kept && (await contradiction(client, reach, kept));
      if (trouble) return trouble;
      const isKept =
        kept?.size === size &&
        leaf?.size === size &&
        leaf.position === position &&
        [kept, leaf].every(({ note }) => isSignedBy(present, note));
      if (size === 0 || (published === kept?.note && isKept)) return "nothing-new";
      const at = now();
      const text = formatCheckpoint({ origin, size, root: await rootAt(size, readTilesFrom(client)) });
      const newest = formatNewestLeaf({ origin, logId, size, position, eventId, at: at.toISOString() });
      const note = await signedBy(present, text);
      await file.writeLeaf(await signedBy(present, newest));
      await file.write(note);
      await client.query("update transparency_checkpoint set size = $1, note = $2, signed_at = $3", [
        size,
        note,
        at,
      ]);
      return "signed";
    });
    await report(outcome);
    return typeof outcome === "string" ? outcome : outcome.why;
  }

  /** A tree rebuilt from the log is older for a while; one over another log is forked once it is as large. */
  async function contradiction(
    client: Client,
    { size, position }: TreeReach,
    kept: PublishedCheckpoint,
  ): Promise<"older" | Refusal | undefined> {
    if (kept.size > size)
      return position === (await store.head()) ? { why: "cut-short", size, signedSize: kept.size } : "older";
    if (isEqual(await rootAt(kept.size, readTilesFrom(client)), kept.root)) return undefined;
    return { why: "forked", size, signedSize: kept.size };
  }

  /** Once for each finding. */
  async function report(outcome: "signed" | "nothing-new" | "older" | Refusal): Promise<void> {
    const name = typeof outcome === "string" ? outcome : outcome.why;
    if (name === reported) return;
    if (outcome === "older")
      log.warn("the transparency log has not reached its newest checkpoint: nothing is signed until it has");
    if (typeof outcome !== "string") {
      log.error({ why: name }, "ALARM: the log contradicts its newest checkpoint, and is signed no more");
      await onRefused?.(outcome);
    }
    reported = name;
  }

  /** A failed round is retried at the next one. */
  async function signInTurn(): Promise<void> {
    try {
      const outcome = await signNow();
      if (outcome === "signed" || outcome === "nothing-new") onSigned?.();
    } catch (error) {
      log.error(
        { code: nameOfError(error) },
        "signing the transparency log failed; it is tried again at the next round",
      );
    }
  }

  return {
    start: () => {
      timer = setInterval(() => {
        round = round.then(signInTurn);
      }, signEverySeconds * 1000).unref();
    },
    stop: async () => {
      clearInterval(timer);
      await round;
    },
    signNow,
  };
}

async function signedBy(signers: readonly NoteSigner[], text: string): Promise<string> {
  return formatNote({ text, signatures: await Promise.all(signers.map((signer) => signNote(text, signer))) });
}

function isSignedBy(signers: readonly NoteSigner[], note: string): boolean {
  const { signatures } = parseNote(note);
  return signers.every(({ key }) => signatures.some(({ keyId }) => keyId === key.id));
}

/**
 * The tree commits without waiting for the disk. This commit waits, and with it all earlier ones: a power cut must not
 * undo what is signed.
 */
function readReachOnDisk(pool: Pool): Promise<TreeReach> {
  return inTransaction(pool, async (client) => {
    await client.query("set local synchronous_commit = on");
    const reach = await readReach(client);
    // Only a transaction that writes waits.
    await client.query("update transparency_checkpoint set size = size");
    return reach;
  });
}

/** The published checkpoint's note, without cosignatures. */
async function lockPublished(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ note: string }>(
    "select note from transparency_checkpoint for update",
  );
  return rows[0]?.note;
}

/**
 * For how many seconds the tree has not been what was signed, from the first call that finds it; 0 while it is. Larger
 * trees are signed at the next round; smaller and contradicting ones are not.
 */
export function watchUnsigned(pool: Pool, now: () => Date): () => Promise<number> {
  let unsigned: { readonly signed: number; readonly since: number } | undefined;
  return async () => {
    const { rows } = await pool.query<{ size: number; signed: number }>({
      name: "transparency-unsigned",
      text: `select tree.size, checkpoint.size as signed
             from transparency_tree as tree, transparency_checkpoint as checkpoint`,
    });
    const { size, signed } = rows[0] ?? { size: 0, signed: 0 };
    const at = now().getTime();
    if (size === signed) unsigned = undefined;
    else if (unsigned?.signed !== signed) unsigned = { signed, since: at };
    return unsigned ? (at - unsigned.since) / 1000 : 0;
  };
}

/** Publishes no checkpoint until the next is signed: the log that it describes was given up. */
export async function forgetPublished(client: Client): Promise<void> {
  await client.query("delete from transparency_cosignatures");
  await client.query("update transparency_checkpoint set size = 0, note = '', signed_at = null");
}

export type Published = { readonly size: number; readonly note: string; readonly signedAt: Date };

/** The published checkpoint, as a note with all signatures; undefined before the first. */
export async function readPublished(pool: Pool): Promise<Published | undefined> {
  const { rows } = await pool.query<Published>({
    name: "transparency-published",
    text: `select size, note || (
             select coalesce(string_agg(signature, '' order by witness), '')
             from transparency_cosignatures as one where one.note = checkpoint.note
           ) as note, signed_at as "signedAt"
           from transparency_checkpoint as checkpoint where size > 0`,
  });
  return rows[0];
}
