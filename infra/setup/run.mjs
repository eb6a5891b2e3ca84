// The first thing every npm script runs. It must work on a bare machine, so it uses only Node 20.19's own modules:
// it installs what is missing, then runs the given file on the Node that the project brings.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const modules = join(root, "node_modules");
const stamp = join(modules, ".installed-from");

/** Fails with one sentence and no stack trace. */
function stop(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function installWhenMissing() {
  const lock = readFileSync(join(root, "package-lock.json"));
  const wanted = createHash("sha256").update(lock).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  process.stdout.write("Installing dependencies (once) ...\n");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  // No dependency needs an install script; development dependencies are wanted even under NODE_ENV=production.
  const args = [
    "ci",
    "--include=dev",
    "--include=optional",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const done = spawnSync(npm, args, {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (done.status !== 0)
    stop(
      "Dependencies could not be installed: see npm's message above, check the network, and run the command again.",
    );
  writeFileSync(stamp, wanted);
}

/** Node 24 from the lockfile where a package for this platform exists, else the running Node if it is new enough. */
function findNode() {
  const binary = process.platform === "win32" ? "node.exe" : "node";
  const brought = join(
    modules,
    `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`,
    "bin",
    binary,
  );
  if (existsSync(brought)) return brought;
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  stop(
    `This needs Node 24 and no package brings one for ${process.platform}-${process.arch}: install Node 24 and run the command again.`,
  );
}

installWhenMissing();
const [script, ...args] = process.argv.slice(2);
const child = spawn(findNode(), ["--enable-source-maps", join(root, script), ...args], {
  cwd: root,
  // The channel tells the child when this process is gone, however it went.
  stdio: ["inherit", "inherit", "inherit", "ipc"],
  env: { ...process.env, NODE_NO_WARNINGS: "1" },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => child.kill(signal === "SIGHUP" ? "SIGTERM" : signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
// npm killed with -9 sends no signal: a changed parent is the only trace it leaves.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 1000).unref();
