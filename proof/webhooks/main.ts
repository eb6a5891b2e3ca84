import { commandLine } from "../../infra/setup/command-line.ts";
import { runProof } from "../faults/run-proof.ts";
import { harass } from "./webhooks.ts";

// npm run proof:webhooks [-- --orders 1000 --callers 4 --seed 1 --plant NAME]: passes the sandbox's webhooks on late,
// several times, in another order and again, with forged ones among them, and fails unless each paid order is paid and
// submitted once, and no other, and each refund by hand is divided among its orders. With --plant a fault is put into the processes, and the run fails unless it is found.

await runProof(commandLine("proof:webhooks"), async (given, plant) => {
  const { paid, declined, left, webhooks, copies, replays, forgeries, refunds, findings } = await harass({
    ...given,
    plant: plant?.name,
    submittedWithinMs: 120_000 + given.orders * 100,
    latestMs: 10_000,
  });
  const orders = `${paid} orders paid, ${declined} declined, ${left} left`;
  const sent = `${webhooks} webhooks, ${copies} copies, ${replays} replays, ${forgeries} forgeries`;
  const { assigned, disputed, whole } = refunds;
  const byHand = `refunds by hand: ${assigned} assigned, ${disputed} divided by a dispute, ${whole} of the whole`;
  return { findings, summary: `${orders}; ${sent}; ${byHand}` };
});
