import { runProcess } from "../../../infra/process/run-process.ts";
import { startSandbox } from "../../composition/start-sandbox.ts";

// npm run sandbox: the outside world as a process of its own, for a product of several.
runProcess(startSandbox);
