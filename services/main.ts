import { ConfigurationError, readConfig } from "../infra/config.ts";
import { startSystem } from "./system.ts";

// npm start: everything in one process.

/** A second signal, or a stop that takes longer than this, ends the process at once; the next start recovers. */
const stopTimeoutMs = 25_000;

async function main(): Promise<void> {
  const config = readConfig();
  const system = await startSystem(config);
  process.stdout.write(`Ready: ${system.url}\n`);

  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), stopTimeoutMs).unref();
    system.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  // "disconnect": the process that started this one is gone, however it went.
  for (const signal of ["SIGINT", "SIGTERM", "disconnect"] as const) process.on(signal, stop);
}

function fail(error: unknown): void {
  const expected =
    error instanceof ConfigurationError || (error instanceof Error && error.cause === undefined);
  process.stderr.write(
    `${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exit(1);
}

main().catch(fail);
