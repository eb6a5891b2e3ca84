import { spawnSync } from "node:child_process";
import { GenericContainer, getContainerRuntimeClient } from "testcontainers";

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
