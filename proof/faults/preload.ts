import { changeSources } from "../change-sources.ts";
import { sourceFaults } from "./planted.ts";

// Loaded before a process's own files: puts the fault into them that PLANTED_FAULT names.

// biome-ignore lint/style/noProcessEnv: the process itself must not know of this.
const name = process.env.PLANTED_FAULT;
const fault = sourceFaults.find((each) => each.name === name);
if (!fault) throw new Error(`There is no planted fault ${name}.`);
changeSources(fault.changes);
