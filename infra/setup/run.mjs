// Every npm script starts here. It must work on a bare machine, so it uses only the modules of Node 20.19:
// it installs what is missing, then runs the given file on the Node that the project brings.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const modules = join(root, "node_modules");
const stamp = join(modules, ".installed-from");
const onWindows = process.platform === "win32";
const installTimeoutMs = 900_000;

/** Fails with one sentence, without a stack trace. */
function stop(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** The running child: npm while installing, then the given file. */
let child;
let signalled;

/** Runs a program to its end; resolves to its exit code, 1 if killed by a signal, undefined if it could not start. */
function run(file, args, options) {
  child = spawn(file, args, { cwd: root, ...options });
  if (signalled) child.kill(signalled);
  return new Promise((done) => {
    child.on("error", () => done(undefined));
    child.on("exit", (code, signal) => done(code ?? (signal ? 1 : 0)));
  });
}

function wantedStamp() {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

/** A container image includes its packages, on a read-only file system. */
const isInstalled = () =>
  process.env.SKIP_INSTALL === "1" || (existsSync(stamp) && readFileSync(stamp, "utf8") === wantedStamp());

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/**
 * One start at a time installs in this folder; the lock lists the installing pids, and is void once they have ended.
 */
const lock = join(tmpdir(), `install-${createHash("sha256").update(root).digest("hex").slice(0, 16)}.lock`);

function takeLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const holders = readFileSync(lock, "utf8").split(" ").map(Number);
  if (!holders.some((pid) => pid > 0 && isAlive(pid))) rmSync(lock, { force: true });
  return false;
}

async function installWhenMissing() {
  if (isInstalled()) return;
  const deadline = Date.now() + installTimeoutMs;
  for (let said = false; !takeLock(); said = true) {
    if (!said) process.stdout.write("Waiting for another start in this folder to finish installing ...\n");
    if (Date.now() > deadline)
      stop(`Another start is still installing: stop it, remove ${lock}, and run the command again.`);
    await delay(250);
  }
  try {
    if (!isInstalled()) await install();
  } finally {
    rmSync(lock, { force: true });
  }
}

async function install() {
  process.stdout.write("Installing dependencies (once) ...\n");
  // No dependency needs an install script; development dependencies are required even under NODE_ENV=production.
  const args =
    "ci --include=dev --include=optional --ignore-scripts --no-audit --no-fund --loglevel=error".split(" ");
  const running = run(onWindows ? "npm.cmd" : "npm", args, {
    stdio: ["ignore", "ignore", "inherit"],
    shell: onWindows,
  });
  // If this process is killed, npm continues: the next start must wait for it.
  writeFileSync(lock, `${process.pid} ${child.pid ?? ""}`);
  const code = await running;
  if (signalled) process.exit(1);
  if (code === undefined) stop("npm was not found: install Node with npm, and run the command again.");
  if (code !== 0) {
    rmSync(lock, { force: true });
    stop(
      "Dependencies could not be installed: see npm's message above, check the network, and run the command again.",
    );
  }
  writeFileSync(stamp, wantedStamp());
}

/** Node 24 from the lockfile if this platform has a working package, else the running Node if it is new enough. */
function findNode() {
  const folder = `node-${onWindows ? "win" : process.platform}-${process.arch}`;
  const brought = join(modules, folder, "bin", onWindows ? "node.exe" : "node");
  // On a system with another C library the file exists, but does not run.
  if (existsSync(brought) && spawnSync(brought, ["--version"]).status === 0) return brought;
  // Before 24.2 a file cannot tell whether it is run or imported, and commands would do nothing, without an error.
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 24 || (major === 24 && minor >= 2)) return process.execPath;
  return stop(
    `This needs Node 24.2 and no package brings one for ${process.platform}-${process.arch}: install it and run the command again.`,
  );
}

/** Parent of a process, undefined if it cannot be read. */
function parentOf(pid) {
  if (pid === process.pid) return process.ppid;
  try {
    // The name, in brackets, may hold spaces and brackets itself.
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ")[1]);
  } catch {
    return undefined;
  }
}

const isShell = (pid) => {
  try {
    return /^(ba|da|a|z|k)?sh$/.test(readFileSync(`/proc/${pid}/comm`, "utf8").trim());
  } catch {
    return false;
  }
};

/** npm killed with -9 sends no signal: only a changed parent, ours or that of the shell in between, shows it. */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const below = [process.pid, ...(isShell(parent) ? [parent] : [])];
  const before = below.map(parentOf);
  setInterval(() => {
    if (below.some((pid, index) => parentOf(pid) !== before[index])) end("SIGTERM");
  }, 1000).unref();
}

function end(signal) {
  signalled = signal;
  child?.kill(signal);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => end(signal === "SIGHUP" ? "SIGTERM" : signal));
}
endWithNpm();
const [script, ...args] = process.argv.slice(2);
if (args.length > 0) {
  // biome-ignore lint/correctness/useImportExtensions: Biome looks for the file that declares its types.
  const { answerBeforeRunning } = await import("./parse-command-line.mjs");
  answerBeforeRunning(root, [script, ...args]);
}
await installWhenMissing();
const node = findNode();
/**
 * For server processes. By default V8 lets young objects fill three times 16 MB and the heap grow to several times
 * the live data before it collects, and returns little memory; with less room for young objects, and a limit, it
 * collects sooner. Inherited by the processes of a cluster; the operator's own options win.
 */
const serves =
  /^(services\/(composition\/processes\/\w+|operations\/cluster\/main)|projections\/main)\.ts$/.test(script);
const { NODE_OPTIONS: options = "" } = process.env;
const heap = ["--max-old-space-size=1024", "--max-semi-space-size=8"].filter(
  (option) => serves && !options.includes(option.slice(0, option.indexOf("="))),
);
const code = await run(node, [join(root, script), ...args], {
  // The channel closes when this process ends, however it ends.
  stdio: ["inherit", "inherit", "inherit", "ipc"],
  env: {
    // Later starts read what this one compiled: half the processor time, and no compiler of types in memory.
    NODE_COMPILE_CACHE: join(modules, ".compiled"),
    ...process.env,
    NODE_NO_WARNINGS: "1",
    NODE_OPTIONS: [...heap, options].join(" ").trim(),
  },
});
process.exit(code ?? stop(`${node} could not be run: remove node_modules and run the command again.`));
