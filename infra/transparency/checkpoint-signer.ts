import type { Follower } from "../following/follower.ts";
import { nameOfError } from "../following/follower-faults.ts";
import { type Client, inTransaction, type Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import type { CheckpointFile, PublishedCheckpoint } from "./checkpoint-file.ts";
import { isEqual } from "./formats/bytes.ts";
import { formatCheckpoint } from "./formats/checkpoint.ts";
import { formatNote, type NoteSigner, signNote } from "./formats/signed-note.ts";
import { rootAt } from "./tree-proofs.ts";
import { readReach, readTilesFrom } from "./tree-records.ts";

export type CheckpointSignerOptions = {
  readonly pool: Pool;
  /** Only the process that grows the tree signs it. */
  readonly follower: Pick<Follower, "status">;
  readonly file: CheckpointFile;
  /** The log's name. */
  readonly origin: string;
  /** At least one, newest first. */
  readonly signers: () => Promise<readonly NoteSigner[]>;
  readonly now: () => Date;
  readonly log: Log;
  /** Called after each round whose tree is signed. */
  readonly onSigned?: () => void;
  /** How often a checkpoint is signed when there are new events (60 s). */
  readonly signEverySeconds?: number;
};

/** What a round came to. `older` and `forked`: the tree lacks or contradicts what was signed, so nothing was. */
export type Signing = "signed" | "nothing-new" | "standby" | "older" | "forked";

export type CheckpointSigner = {
  start(): void;
  stop(): Promise<void>;
  /** Signs the tree if it has grown, and agrees with the newest checkpoint beside the keys. */
  signNow(): Promise<Signing>;
};

/** Signs the tree every minute while it grows: first into the file beside the keys, then for readers. */
export function createCheckpointSigner(options: CheckpointSignerOptions): CheckpointSigner {
  const { pool, follower, file, origin, signers, now, log, onSigned, signEverySeconds = 60 } = options;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  let reported: Signing | undefined;

  async function signNow(): Promise<Signing> {
    if ((await follower.status()).state !== "following") return "standby";
    // The row is locked: of two processes that believe they hold the lease, one signs after the other.
    const outcome = await inTransaction(pool, async (client) => {
      const published = await lockPublished(client);
      const { size } = await readReach(client);
      const kept = await file.read();
      const trouble = kept && (await contradiction(client, size, kept));
      if (trouble) return trouble;
      if (size === 0 || (published === size && kept?.size === size)) return "nothing-new";
      const text = formatCheckpoint({ origin, size, root: await rootAt(size, readTilesFrom(client)) });
      const signatures = await Promise.all((await signers()).map((signer) => signNote(text, signer)));
      const note = formatNote({ text, signatures });
      await file.write(note);
      await client.query("update transparency_checkpoint set size = $1, note = $2, signed_at = $3", [
        size,
        note,
        now(),
      ]);
      return "signed";
    });
    report(outcome);
    return outcome;
  }

  /** Once for each finding. */
  function report(outcome: Signing): void {
    if (outcome === reported) return;
    reported = outcome;
    if (outcome === "older")
      log.warn("the transparency log has not reached its newest checkpoint: nothing is signed until it has");
    if (outcome === "forked")
      log.error("ALARM: the log contradicts its newest public checkpoint, and is signed no more");
  }

  /** A failed round is retried a minute later. */
  async function signInTurn(): Promise<void> {
    try {
      const outcome = await signNow();
      if (outcome === "signed" || outcome === "nothing-new") onSigned?.();
    } catch (error) {
      log.error({ code: nameOfError(error) }, "signing the transparency log failed; retrying in a minute");
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

/** The size of the published checkpoint. */
async function lockPublished(client: Client): Promise<number> {
  const { rows } = await client.query<{ size: number }>(
    "select size from transparency_checkpoint for update",
  );
  return rows[0]?.size ?? 0;
}

/** A tree rebuilt from the log is older for a while; one over another log is forked once it is as large. */
async function contradiction(
  client: Client,
  size: number,
  kept: PublishedCheckpoint,
): Promise<"older" | "forked" | undefined> {
  if (kept.size > size) return "older";
  return isEqual(await rootAt(kept.size, readTilesFrom(client)), kept.root) ? undefined : "forked";
}

/**
 * For how many seconds the tree has not been what was signed, from the first call that finds it; 0 while it is. Larger
 * trees are signed within a minute; smaller and contradicting ones are not.
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

/** The published checkpoint, as a note with all signatures; undefined before the first. */
export async function readPublished(pool: Pool): Promise<{ size: number; note: string } | undefined> {
  const { rows } = await pool.query<{ size: number; note: string }>({
    name: "transparency-published",
    text: `select size, note || (
             select coalesce(string_agg(signature, '' order by witness), '')
             from transparency_cosignatures as one where one.note = checkpoint.note
           ) as note
           from transparency_checkpoint as checkpoint where size > 0`,
  });
  return rows[0];
}
