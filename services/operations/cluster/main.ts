import { runProcess } from "../../../infra/process/run-process.ts";
import { startCluster } from "./start-cluster.ts";

// npm run cluster: the product as several processes on this machine, behind one address.

/** Each process has 25 s to stop, and they stop together. */
const stopWithinMs = 60_000;
runProcess(startCluster, stopWithinMs);
