import { spawn } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { watch } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import {
  ask,
  beginOwner,
  childrenOf,
  killAll,
  killAndWait,
  listProcesses,
  type OwnerProcess,
  pidsOfServer,
  serverPid,
  startOwner,
} from "../../testing/postgres/embedded-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { soon } from "../../testing/setup/patience.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { addressOfOwned, startEmbedded } from "./embedded.ts";
import { isForWantOfRoom } from "./embedded-cluster.ts";
import { isAlive } from "./embedded-process.ts";

const servers: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

const folder = () => temporaryFolder("embedded");

// Copying a data folder takes a tenth of the time of creating one.
const template = temporaryFolder("embedded");
beforeAll(async () => (await startEmbedded({ directory: template })).stop());

function madeFolder(): string {
  const made = folder();
  cpSync(template, made, { recursive: true });
  return made;
}

async function start(options: Parameters<typeof startEmbedded>[0]) {
  const server = await startEmbedded(options);
  servers.push(server);
  return server;
}

it("keeps data over a stop and a start", async () => {
  const directory = madeFolder();
  const first = await start({ directory });
  await ask(first.connectionString, "create table kept as select 42 as answer");
  await first.stop();
  expect(existsSync(join(directory, "cluster", "postmaster.pid"))).toBe(false);
  const second = await start({ directory });
  expect(await ask(second.connectionString, "select answer from kept")).toEqual([{ answer: 42 }]);
});

it("refuses a second owner of the same folder while the first lives", async () => {
  const directory = madeFolder();
  const server = await start({ directory });
  await expect(startEmbedded({ directory })).rejects.toThrow(
    "Another process is already running on this data folder",
  );
  expect(await ask(server.connectionString, "select 1 as alive")).toEqual([{ alive: 1 }]);
});

it("gives guests the address of an owned server only", async () => {
  const directory = madeFolder();
  expect(await addressOfOwned(directory)).toBeUndefined();
  const server = await start({ directory });
  expect(await addressOfOwned(directory)).toBe(server.connectionString);
  await server.stop();
  expect(await addressOfOwned(directory)).toBeUndefined();
  expect(await addressOfOwned(join(directory, "nowhere"))).toBeUndefined();
});

it.each([
  ["first starts", folder],
  ["starts on a server that a killed process left running", leftRunning],
])("lets one of two concurrent %s have the folder, and refuses the other", async (_, made) => {
  const directory = await made();
  const both = await Promise.allSettled([startOwner(directory), startOwner(directory)]);
  const owners = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(owners).toHaveLength(1);
  expect(both.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []))).toEqual([
    expect.stringContaining("Another process is already running on this data folder"),
  ]);
  expect(await ask(owners[0]?.connectionString ?? "", "select 1 as alive")).toEqual([{ alive: 1 }]);
  expect(readdirSync(directory).filter((name) => /unfinished|draft/.test(name))).toEqual([]);
  const pid = serverPid(directory);
  await owners[0]?.kill();
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), soon);
});

it("waits for another server that has just made its lock file", async () => {
  const directory = madeFolder();
  const first = await start({ directory });
  await first.stop();
  const lock = join(directory, "cluster", "postmaster.pid");
  writeFileSync(lock, "", { mode: 0o600 });
  const begun = start({ directory });
  const log = join(directory, "server.log");
  await vi.waitFor(() => expect(readFileSync(log, "utf8")).toContain('"postmaster.pid" is empty'), soon);
  rmSync(lock);
  const server = await begun;
  expect(await ask(server.connectionString, "select 1 as alive")).toEqual([{ alive: 1 }]);
});

/** A data folder whose owner was killed together with its watch. */
async function leftRunning(): Promise<string> {
  const directory = madeFolder();
  const owner = await startOwner(directory);
  for (const watch of watchesOf(owner)) process.kill(watch, "SIGKILL");
  await owner.kill();
  return directory;
}

function watchesOf(owner: OwnerProcess): number[] {
  const watches = childrenOf(owner.pid, "read -r _");
  expect(watches).toHaveLength(1);
  return watches;
}

it("ends with an owner killed with -9, and restarts at once", async () => {
  const directory = madeFolder();
  const owner = await startOwner(directory);
  await ask(owner.connectionString, "create table kept as select 42 as answer");
  const pid = serverPid(directory);
  await owner.kill();
  const next = await start({ directory });
  expect(await ask(next.connectionString, "select answer from kept")).toEqual([{ answer: 42 }]);
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), soon);
});

it("ends the server of an owner killed together with its watch, and starts its own", async () => {
  const directory = await leftRunning();
  const pid = serverPid(directory);
  expect(isAlive(pid)).toBe(true);
  const next = await start({ directory });
  expect(isAlive(pid)).toBe(false);
  expect(await ask(next.connectionString, "select 1 as alive")).toEqual([{ alive: 1 }]);
});

it.runIf(process.platform === "linux")(
  "restarts after a kill -9 that left a process which waits for another one for good",
  async () => {
    const directory = madeFolder();
    const server = await start({ directory });
    const client = new pg.Client({ connectionString: server.connectionString });
    client.on("error", () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const left = rows[0]?.pid ?? 0;
    // Like one that waits for a lock of a killed process, it does not notice that the server is gone.
    process.kill(left, "SIGSTOP");
    killAll(pidsOfServer(directory).filter((pid) => pid !== left));
    const answers = () => ask(server.connectionString, "select 1 as alive");
    expect(await vi.waitFor(answers, soon)).toEqual([{ alive: 1 }]);
    expect(listProcesses().map(({ pid }) => pid)).not.toContain(left);
  },
);

it("starts a server that the watch of a killed owner does not end, however late it comes", async () => {
  const directory = madeFolder();
  const owner = await startOwner(directory);
  const watches = watchesOf(owner);
  for (const watch of watches) process.kill(watch, "SIGSTOP");
  await owner.kill();
  let troubles = 0;
  const next = await start({ directory, onTrouble: () => troubles++ });
  for (const watch of watches) process.kill(watch, "SIGCONT");
  await vi.waitFor(
    () => expect(listProcesses().filter(({ pid }) => watches.includes(pid))).toEqual([]),
    soon,
  );
  expect(await ask(next.connectionString, "select 1 as alive")).toEqual([{ alive: 1 }]);
  expect(troubles).toBe(0);
});

it("starts after owner and server were both killed with -9", async () => {
  const directory = madeFolder();
  const owner = await startOwner(directory);
  await ask(owner.connectionString, "create table kept as select 42 as answer");
  process.kill(serverPid(directory), "SIGKILL");
  await owner.kill();
  const next = await start({ directory });
  expect(await ask(next.connectionString, "select answer from kept")).toEqual([{ answer: 42 }]);
});

it("starts after a first start was killed while creating the cluster", async () => {
  const directory = folder();
  const unfinished = () => readdirSync(directory).filter((name) => name.endsWith(".unfinished"));
  const begun = (async () => {
    for await (const { filename } of watch(directory)) if (filename?.endsWith(".unfinished")) return;
  })();
  const owner = beginOwner(directory);
  await begun;
  await killAndWait(owner);
  const next = await start({ directory });
  expect(await ask(next.connectionString, "select 1 as alive")).toEqual([{ alive: 1 }]);
  expect(unfinished()).toEqual([]);
});

const untilLocked = (connectionString: string) =>
  vi.waitFor(
    async () =>
      expect(
        await ask(
          connectionString,
          "select count(*)::int as locks from pg_locks where locktype = 'advisory'",
        ),
      ).toEqual([{ locks: 1 }]),
    soon,
  );

it("restarts a killed server on its port, with its lock", async () => {
  const directory = madeFolder();
  let heard = 0;
  const server = await start({ directory, onTrouble: () => heard++ });
  await ask(server.connectionString, "create table kept as select 42 as answer");
  process.kill(serverPid(directory), "SIGKILL");
  await vi.waitFor(
    async () =>
      expect(await ask(server.connectionString, "select answer from kept")).toEqual([{ answer: 42 }]),
    soon,
  );
  expect(heard).toBe(1);
  // A server answers a moment before its owner has the lock again.
  await untilLocked(server.connectionString);
  await expect(startEmbedded({ directory })).rejects.toThrow("Another process is already running");
});

it("takes its lock again after the server restarted because of a killed connection", async () => {
  const directory = madeFolder();
  let heard = 0;
  const server = await start({ directory, onTrouble: () => heard++ });
  const victim = new pg.Client({ connectionString: server.connectionString });
  victim.on("error", () => undefined);
  await victim.connect();
  const [row] = (await victim.query<{ pid: number }>("select pg_backend_pid() as pid")).rows;
  process.kill(row?.pid ?? 0, "SIGKILL");
  await vi.waitFor(() => expect(heard).toBe(1), soon);
  await untilLocked(server.connectionString);
});

it("gives up a server that keeps dying, with an explanation", async () => {
  const directory = madeFolder();
  const server = await start({ directory, mostDeaths: 0 });
  process.kill(serverPid(directory), "SIGKILL");
  expect(await server.lost).toMatchObject({ message: expect.stringContaining("keeps dying") });
});

/** A server that cannot restart until repaired, like one on a full disk. */
async function startBreakable(options: Partial<Parameters<typeof startEmbedded>[0]>) {
  const directory = madeFolder();
  const server = await start({ directory, ...options });
  const file = join(directory, "cluster", "postgresql.conf");
  const sound = readFileSync(file, "utf8");
  writeFileSync(file, `${sound}\nshared_buffers = nonsense\n`);
  return { server, pid: serverPid(directory), heal: () => writeFileSync(file, sound) };
}

it("waits for room after dying of a full disk, reports it, and recovers", async () => {
  let isFull = true;
  const heard: string[] = [];
  const { server, pid, heal } = await startBreakable({
    mostDeaths: 0,
    onFull: (words) => heard.push(words),
    isForWantOfRoom: async () => isFull,
  });
  expect(server.trouble()).toBeUndefined();
  process.kill(pid, "SIGKILL");
  await vi.waitFor(() => expect(server.trouble()).toBe("its disk is full"), soon);
  expect(heard).toEqual([expect.stringContaining("is full: free some space")]);
  heal();
  isFull = false;
  await vi.waitFor(
    async () => expect(await ask(server.connectionString, "select 1 as alive")).toEqual([{ alive: 1 }]),
    soon,
  );
  await vi.waitFor(() => expect(server.trouble()).toBeUndefined(), soon);
  expect(heard).toHaveLength(1);
});

it("does not wait for a server that cannot start despite free space", async () => {
  const { server, pid } = await startBreakable({});
  process.kill(pid, "SIGKILL");
  expect(await server.lost).toMatchObject({ message: expect.stringContaining("contains errors") });
});

it("detects a full disk by the server's message, or by the free space", async () => {
  const directory = folder();
  expect(await isForWantOfRoom(directory)).toBe(false);
  const words = 'could not write to file "pg_wal/xlogtemp.3526": No space left on device';
  expect(await isForWantOfRoom(directory, new Error(words))).toBe(true);
  expect(await isForWantOfRoom(directory, new Error("invalid value"))).toBe(false);
  expect(await isForWantOfRoom(join(directory, "gone"))).toBe(false);
});

it("cancels a start when asked, leaving no server", async () => {
  const directory = madeFolder();
  const giveUp = new AbortController();
  const starting = startEmbedded({ directory, signal: giveUp.signal });
  giveUp.abort();
  await expect(starting).rejects.toThrow();
  await vi.waitFor(() => expect(existsSync(join(directory, "cluster", "postmaster.pid"))).toBe(false), soon);
});

it("does not mistake another process with the same pid for its server", async () => {
  const directory = madeFolder();
  const other = spawn("sleep", ["3600"], { stdio: "ignore" });
  const lines = [other.pid, join(directory, "cluster"), 0, 1, "", "127.0.0.1", "", "ready"];
  writeFileSync(join(directory, "cluster", "postmaster.pid"), lines.join("\n"));
  await start({ directory });
  expect(other.exitCode).toBeNull();
  await killAndWait(other);
});

it("names the missing password file, and creates no new one", async () => {
  const directory = madeFolder();
  rmSync(join(directory, "password"));
  await expect(startEmbedded({ directory })).rejects.toThrow("password is missing");
  expect(existsSync(join(directory, "password"))).toBe(false);
});

it("reports the server's reason when it does not start", async () => {
  const directory = madeFolder();
  await expect(startEmbedded({ directory, settings: ["shared_buffers=nonsense"] })).rejects.toThrow(
    /does not start: invalid value for parameter "shared_buffers"/,
  );
  expect(readFileSync(join(directory, "server.log"), "utf8")).toContain("shared_buffers");
});

it("gives each test file a separate migrated database", async () => {
  const [one, two] = [await testDatabase(), await testDatabase()];
  await ask(one.connectionString, "create table mine ()");
  await expect(ask(two.connectionString, "select * from mine")).rejects.toThrow("does not exist");
  expect(await ask(two.connectionString, "select count(*)::int as n from installation")).toEqual([{ n: 1 }]);
  await one.drop();
  await two.drop();
});
