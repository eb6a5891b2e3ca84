import { runProcess } from "../../infra/process/run-process.ts";
import { startWorker } from "../composition/start-worker.ts";

// npm run worker: policies, jobs, sweeps and the auditor as a separate process.
runProcess(startWorker);
