import { chainBroken, unsigned } from "../../infra/audit/audit-problem.ts";
import { createFindings } from "../../infra/audit/audit-records.ts";
import type { Config } from "../../infra/config/config.ts";
import type { Follower } from "../../infra/following/follower.ts";
import { agreedFiles } from "../../infra/key-ring/durable-files.ts";
import { OperatorError } from "../../infra/process/operator-error.ts";
import { createCheckpointSigner, watchUnsigned } from "../../infra/transparency/checkpoint-signer.ts";
import { createCosigners, watchQuorum } from "../../infra/transparency/cosigners.ts";
import { parseVerifierKey, signatureTypes } from "../../infra/transparency/formats/verifier-key.ts";
import { logKeyFiles, logSigners, originOf, retiredKeys } from "../../infra/transparency/log-keys.ts";
import { createPublicLog, type PublicLog } from "../../infra/transparency/public-log.ts";
import { createTreeFollower } from "../../infra/transparency/tree-follower.ts";
import type { KnownWitness } from "../../infra/transparency/witness/ask-witness.ts";
import { purgeDetails } from "../compliance/purge-leaf.ts";
import { checkpointFileOf } from "../operations/audit/signed-files.ts";
import { showTransparency } from "../telemetry/watched-infrastructure.ts";
import type { Infrastructure } from "./infrastructure.ts";

/** Grows the transparency log's tree with the log, signs it, and has witnesses sign it. */
export type Transparency = {
  start(): void;
  stop(): Promise<void>;
  readonly follower: Pick<Follower, "status">;
  /** Also where it was not started. */
  readonly publicLog: PublicLog;
};

/** @throws OperatorError when a witness's key is not one */
export async function openTransparency(
  config: Config,
  publicUrl: string,
  infrastructure: Infrastructure,
): Promise<Transparency> {
  const { now, pool, telemetry } = infrastructure;
  const origin = originOf(publicUrl);
  const files = agreedFiles(config.KEY_DIR, config.KEY_MIRROR_DIR);
  const keys = logKeyFiles(files);
  await keys.open();
  const find = createFindings(infrastructure);
  const follower = createTreeFollower({
    ...infrastructure,
    detailsOf: purgeDetails,
    onBroken: (error) => find(chainBroken(error)),
  });
  const signers = () => logSigners(keys, origin, now());
  const retired = () => retiredKeys(files, origin, now());
  const quorum = config.WITNESS_QUORUM;
  const signEverySeconds = config.CHECKPOINT_EVERY_SECONDS;
  const cosigners = createCosigners({
    ...infrastructure,
    witnesses: await witnessesOf(config),
    quorum,
    signEverySeconds,
  });
  const signer = createCheckpointSigner({
    ...infrastructure,
    ...{ follower, origin, file: checkpointFileOf(config), signers, signEverySeconds },
    onSigned: () => cosigners.ask(),
    onRefused: (refusal) => find(unsigned(refusal)),
  });
  showTransparency(telemetry, {
    unsignedSeconds: watchUnsigned(pool, now),
    belowQuorumSeconds: watchQuorum(pool, quorum, now),
  });
  const witnesses = { quorum, keys: config.WITNESSES.map(({ key }) => key) };
  return {
    follower,
    publicLog: createPublicLog({ ...infrastructure, signers, retired, witnesses, detailsOf: purgeDetails }),
    start: () => {
      follower.start();
      signer.start();
    },
    stop: async () => {
      await signer.stop();
      await cosigners.stop();
      await follower.stop();
    },
  };
}

const witnessesOf = ({ WITNESSES }: Pick<Config, "WITNESSES">): Promise<KnownWitness[]> =>
  Promise.all(
    WITNESSES.map(async ({ key: text, address }) => {
      const key = await parseVerifierKey(text);
      if (key?.type === signatureTypes.witness) return { key, address };
      throw new OperatorError(
        `WITNESSES: ${text} is not the verifier key of a witness. Copy the one that it printed at its start.`,
      );
    }),
  );
