import { runProcess } from "../infra/run-process.ts";
import { startSystem } from "./system.ts";

// npm start: everything in one process.
runProcess(startSystem);
