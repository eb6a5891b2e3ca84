export {
  type CommandLine,
  type CommandName,
  commandLine,
  type OptionsOf,
  // biome-ignore lint/correctness/useImportExtensions: as in run.mjs, which runs it before anything is installed.
} from "./parse-command-line.mjs";
