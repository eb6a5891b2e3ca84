import { commandLine } from "./command-line.ts";
import { commandFile, runNode } from "./steps.ts";

// npm run format: corrects format and lint, as far as Biome can.

commandLine("format");
process.exit(await runNode(commandFile("@biomejs/biome", "bin/biome"), ["check", "--write", "."]));
