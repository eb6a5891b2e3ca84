/** What a process needs of the machine, and the modules that a test run has compiled. */
const ofTheMachine = ["PATH", "TMPDIR", "NODE_COMPILE_CACHE"] as const;

/**
 * Working folder and environment of a process of the product that a test or proof starts: these settings alone, neither
 * the caller's nor those in the `.env` of this project, which may name an operator's database.
 */
export const ownSettings = (folder: string, settings: Readonly<Record<string, string | undefined>>) => ({
  cwd: folder,
  env: {
    ...Object.fromEntries(ofTheMachine.map((name) => [name, process.env[name]])),
    ...{ NODE_ENV: "test", NODE_NO_WARNINGS: "1" },
    ...settings,
  },
});
