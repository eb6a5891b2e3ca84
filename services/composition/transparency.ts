import type { Config } from "../../infra/config/config.ts";
import { agreedFiles } from "../../infra/key-ring/agreed-files.ts";
import { createCheckpointSigner } from "../../infra/transparency/checkpoint-signer.ts";
import { logKeyFiles, logSigners, originOf, retiredKeys } from "../../infra/transparency/log-keys.ts";
import { createPublicLog, type PublicLog } from "../../infra/transparency/public-log.ts";
import { createTreeFollower } from "../../infra/transparency/tree-follower.ts";
import { purgeDetails } from "../compliance/purge-leaf.ts";
import { checkpointFileOf } from "../operations/audit/audit-book.ts";
import type { Infrastructure } from "./infrastructure.ts";

/** Grows the transparency log's tree and signs it. */
export type Transparency = {
  start(): void;
  stop(): Promise<void>;
  /** Also where it was not started. */
  readonly publicLog: PublicLog;
};

export function createTransparency(
  config: Config,
  publicUrl: string,
  infrastructure: Infrastructure,
): Transparency {
  const { now } = infrastructure;
  const origin = originOf(publicUrl);
  const files = agreedFiles(config.KEY_DIR, config.KEY_MIRROR_DIR);
  const keys = logKeyFiles(files);
  const follower = createTreeFollower({ ...infrastructure, detailsOf: purgeDetails });
  const signers = () => logSigners(keys, origin, now());
  const file = checkpointFileOf(config);
  const signer = createCheckpointSigner({ ...infrastructure, follower, origin, file, signers });
  const retired = () => retiredKeys(files, origin, now());
  return {
    publicLog: createPublicLog({ ...infrastructure, signers, retired, detailsOf: purgeDetails }),
    start: () => {
      follower.start();
      signer.start();
    },
    stop: async () => {
      await signer.stop();
      await follower.stop();
    },
  };
}
