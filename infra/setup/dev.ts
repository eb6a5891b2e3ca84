import { spawn } from "node:child_process";
import { join } from "node:path";
import { createServer } from "vite";
import { readConfig } from "../config.ts";
import { root } from "./steps.ts";

// npm run dev: the back end restarts when its files change, the page reloads in place.
const config = readConfig(process.env, root);
const backEnd = spawn(
  process.execPath,
  ["--watch", "--watch-preserve-output", join(root, "services", "main.ts")],
  {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, PUBLIC_URL: "http://localhost:5173", SKIP_WEB_BUILD: "1" },
  },
);
process.env.PORT = String(config.PORT);
const vite = await createServer({
  configFile: join(root, "web", "vite.config.ts"),
  server: { port: 5173, strictPort: true },
});
await vite.listen();
console.log("Pages with hot reload: http://localhost:5173");

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  backEnd.kill("SIGTERM");
  await vite.close();
}
for (const signal of ["SIGINT", "SIGTERM", "disconnect"]) process.on(signal, stop);
backEnd.on("exit", (code) => {
  void stop().then(() => process.exit(code ?? 0));
});
