import { refuseWhileFollowed } from "../../../infra/following/lease.ts";
import { forgetCheckpoints } from "../../../infra/log-binding/log-binding.ts";
import { inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import { treeFollower } from "../../../infra/transparency/tree-follower.ts";

/**
 * Empties the transparency log's tree: the product grows it anew from the log, and signs it only if it is the one that
 * was signed before.
 * @throws OperatorError while the product runs
 */
export async function regrowTree(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("lock table followers in exclusive mode");
    await refuseWhileFollowed(client);
    await forgetCheckpoints(client, [{ name: treeFollower, version: 1 }]);
  });
}
