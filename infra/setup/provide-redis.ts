import { spawnSync } from "node:child_process";
import { GenericContainer, getContainerRuntimeClient } from "testcontainers";

/** What runs where the machine has no server of its own. */
export const redisImage = "redis:7";

/** Whether this machine has a server to start. */
export const hasRedisServer = (): boolean => spawnSync("redis-server", ["--version"]).status === 0;

/** Whether containers can be run here. */
export async function isDockerThere(): Promise<boolean> {
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false; // It throws for the one reason that no runtime was found.
  }
}

/** Sees to it that tests can start a Redis. @returns why they cannot, undefined when they can */
export async function provideRedis(isThere = isDockerThere): Promise<string | undefined> {
  if (hasRedisServer()) return undefined;
  const advice = "Install it (Debian: apt-get install redis-server), or Docker";
  if (!(await isThere())) return `there is no redis-server on the PATH, and no Docker. ${advice}`;
  try {
    // The first container waits for its image.
    await (await new GenericContainer(redisImage).start()).stop();
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `there is no redis-server on the PATH, and Docker cannot run ${redisImage} (${reason}). ${advice}`;
  }
}
