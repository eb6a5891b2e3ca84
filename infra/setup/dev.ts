import { spawn } from "node:child_process";
import { join } from "node:path";
import { createServer } from "vite";
import { readConfig } from "../config/config.ts";
import { watchOver } from "../postgres/embedded-process.ts";
import { expectFree } from "../process/free-port.ts";
import { OperatorError, wordsForOperator } from "../process/operator-error.ts";
import { commandLine } from "./command-line.ts";
import { root } from "./steps.ts";

// npm run dev: the back end restarts when its files change, the page reloads in place.

const pagePort = 5173;

async function main(): Promise<void> {
  commandLine("dev");
  const config = readConfig(process.env, root);
  await expectFree("127.0.0.1", pagePort).catch((cause: unknown) => {
    throw new OperatorError(
      `Port ${pagePort} is taken by another process, probably another npm run dev: stop that one.`,
      { cause },
    );
  });
  const backEnd = spawn(
    process.execPath,
    ["--watch", "--watch-preserve-output", join(root, "services", "composition", "processes", "product.ts")],
    {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, PUBLIC_URL: `http://localhost:${pagePort}`, SKIP_WEB_BUILD: "1" },
    },
  );
  if (backEnd.pid !== undefined) watchOver(backEnd.pid);
  process.env.PORT = String(config.PORT);
  const vite = await createServer({
    configFile: join(root, "web", "vite.config.ts"),
    server: { port: pagePort, strictPort: true },
  });
  await vite.listen();
  console.log(`Pages with hot reload: http://localhost:${pagePort}`);

  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    backEnd.kill("SIGTERM");
    await vite.close();
  };
  for (const signal of ["SIGINT", "SIGTERM", "disconnect"]) process.on(signal, stop);
  backEnd.on("exit", (code) => {
    void stop().then(() => process.exit(code ?? 0));
  });
}

main().catch((error: unknown) => {
  console.error(wordsForOperator(error));
  process.exit(1);
});
