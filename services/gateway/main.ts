import { runProcess } from "../../infra/process/run-process.ts";
import { startGateway } from "../composition/start-gateway.ts";

// npm run gateway: takes requests, and leaves folding and working to other processes. Any number may run.
runProcess(startGateway);
