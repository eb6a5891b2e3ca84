import { commandLine } from "../../infra/setup/command-line.ts";
import { runProof } from "../faults/run-proof.ts";
import { race } from "./races.ts";

// npm run proof:races [-- --orders 10000 --callers 4 --seed 1 --redis --eventstore --plant NAME]: sends each command of
// many orders several times at once to two gateways, and fails unless it is carried out once and answered alike. With
// --redis jobs and limits are kept in this machine's redis-server. With --plant a fault is put into the processes, and
// the run fails unless it is found.

await runProof(commandLine("proof:races"), async (given, plant) => {
  const submittedWithinMs = 120_000 + given.orders * 100;
  const { orders, requests, changedBodies, repeated, findings } = await race({
    ...given,
    plant: plant?.name,
    withRedis: given.redis,
    withEventStore: given.eventstore,
    submittedWithinMs,
  });
  const sent = `${requests} requests, ${repeated} sent again, ${changedBodies} changed bodies`;
  return { findings, summary: `${orders} orders, ${sent}` };
});
