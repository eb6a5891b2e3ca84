import { runProcess } from "../infra/process/run-process.ts";
import { startSystem } from "./composition/system.ts";

// npm start: everything in one process.
runProcess(startSystem);
