import { nameOfError } from "../following/follower-faults.ts";
import type { Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import { formatVerifierKey } from "./formats/verifier-key.ts";
import { proveConsistency } from "./tree-proofs.ts";
import { readTilesFrom } from "./tree-records.ts";
import { type AskedCheckpoint, askWitness, type KnownWitness, WitnessFailed } from "./witness/ask-witness.ts";

type CosignersOptions = {
  readonly pool: Pool;
  readonly witnesses: readonly KnownWitness[];
  /** How many of them should sign each checkpoint. */
  readonly quorum: number;
  /** How often `ask` is called while there are new events. */
  readonly signEverySeconds: number;
  readonly now: () => Date;
  readonly log: Log;
  /** How long a witness may take (10 s). */
  readonly withinMs?: number;
};

/** Has witnesses sign the published checkpoint. */
type Cosigners = {
  /** Begins unless it is at it. */
  ask(): void;
  /** Asks each witness that has not signed the newest checkpoint, unless it failed a short while ago. */
  askNow(): Promise<void>;
  /** Resolves when nothing is asked any more. */
  stop(): Promise<void>;
};

/** How far a witness is, and how often it failed since it last signed. */
type Progress = { known: number; failures: number; notBefore: number; reported: string };

const longestWaitMs = 60 * 60_000;

/**
 * Checkpoints are published first and cosigned as answers come: a witness that is away delays nothing. It is asked
 * again at the next round, and after repeated failures more and more rarely, once an hour at least.
 */
export function createCosigners(options: CosignersOptions): Cosigners {
  const { pool, witnesses, quorum, signEverySeconds, now, log, withinMs = 10_000 } = options;
  const progress = new Map(
    witnesses.map((witness): [KnownWitness, Progress] => [
      witness,
      { known: 0, failures: 0, notBefore: 0, reported: "" },
    ]),
  );
  let round: Promise<void> | undefined;
  let wasShort = false;

  async function askNow(): Promise<void> {
    const signed = await readSigned(pool);
    if (!signed) return;
    const checkpoint: AskedCheckpoint = {
      ...signed,
      proofFrom: (size) => proveConsistency(size, signed.size, readTilesFrom(pool)),
    };
    const asked = [...progress].filter(
      ([{ key }, { notBefore }]) =>
        !signed.cosigned.includes(formatVerifierKey(key)) && notBefore <= now().getTime(),
    );
    await Promise.all(asked.map(([witness, each]) => askOne(witness, each, checkpoint)));
    await reportQuorum();
  }

  async function askOne(witness: KnownWitness, each: Progress, checkpoint: AskedCheckpoint): Promise<void> {
    try {
      const { line, at } = await askWitness(witness, checkpoint, each.known, withinMs);
      await pool.query(
        `insert into transparency_cosignatures (witness, note, signature, cosigned_at) values ($1, $2, $3, $4)
         on conflict (witness) do update
         set note = excluded.note, signature = excluded.signature, cosigned_at = excluded.cosigned_at`,
        [formatVerifierKey(witness.key), checkpoint.note, line, at],
      );
      Object.assign(each, { known: checkpoint.size, failures: 0, notBefore: 0 });
      reportOne(witness, each, "");
    } catch (error) {
      if (!(error instanceof WitnessFailed)) throw error;
      each.failures += 1;
      // The first failure is retried in the next round.
      const rounds = each.failures === 1 ? 0 : 2 ** (each.failures - 1);
      const wait = Math.min(rounds * signEverySeconds * 1000, longestWaitMs);
      Object.assign(each, { known: 0, notBefore: now().getTime() + wait });
      reportOne(witness, each, error.fault);
    }
  }

  /** Once for each change. */
  function reportOne({ key }: KnownWitness, each: Progress, fault: string): void {
    if (fault === each.reported) return;
    each.reported = fault;
    const about = { witness: key.name, code: fault };
    if (fault === "") log.info({ witness: key.name }, "a witness signs the transparency log again");
    else if (fault === "ahead" || fault === "conflict")
      log.error(about, "ALARM: a witness knows another transparency log than this one, and does not sign it");
    else log.warn(about, "a witness did not sign the transparency log; it is asked again");
  }

  async function reportQuorum(): Promise<void> {
    const isShort = (await countCosigned(pool)) < quorum;
    if (isShort && !wasShort)
      log.warn({ quorum }, "fewer witnesses than WITNESS_QUORUM have signed the newest checkpoint");
    wasShort = isShort;
  }

  return {
    ask: () => {
      if (witnesses.length === 0) return;
      round ??= askNow()
        .catch((error: unknown) => {
          log.error(
            { code: nameOfError(error) },
            "asking witnesses failed; they are asked again at the next round",
          );
        })
        .finally(() => {
          round = undefined;
        });
    },
    askNow,
    stop: async () => {
      await round;
    },
  };
}

type Signed = { readonly size: number; readonly note: string; readonly cosigned: readonly string[] };

/** The published checkpoint as the log signed it, and who has cosigned it. */
async function readSigned(pool: Pool): Promise<Signed | undefined> {
  const { rows } = await pool.query<Signed>({
    name: "transparency-cosigned",
    text: `select size, note, array(
             select witness from transparency_cosignatures as one where one.note = checkpoint.note
           ) as cosigned
           from transparency_checkpoint as checkpoint where size > 0`,
  });
  return rows[0];
}

/** How many witnesses have signed the published checkpoint. */
async function countCosigned(pool: Pool): Promise<number> {
  return (await readSigned(pool))?.cosigned.length ?? 0;
}

/** For how many seconds the newest checkpoints have had too few cosignatures, from the first call that finds it. */
export function watchQuorum(pool: Pool, quorum: number, now: () => Date): () => Promise<number> {
  let shortSince: number | undefined;
  return async () => {
    const signed = await readSigned(pool);
    const at = now().getTime();
    if (!signed || signed.cosigned.length >= quorum) shortSince = undefined;
    else shortSince ??= at;
    return shortSince === undefined ? 0 : (at - shortSince) / 1000;
  };
}
