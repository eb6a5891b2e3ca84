import { runProcess } from "../../../infra/process/run-process.ts";
import { startSandbox } from "../../composition/start-sandbox.ts";

// npm run sandbox: the providers' sandbox as a separate process.
runProcess(startSandbox);
