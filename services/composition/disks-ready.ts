import type { Config } from "../../infra/config/config.ts";
import { hasCode } from "../../infra/key-ring/durable-file.ts";
import { leastRoomBytes } from "../../infra/postgres/embedded-cluster.ts";
import { freeBytesAt } from "../../infra/process/free-bytes.ts";
import type { ReadinessCheck } from "../gateway/health.ts";

const mebibyte = 1_048_576;

type Folder = { readonly name: string; readonly path: string; readonly leastBytes: number };

/** What a process writes to by itself: not the database of somebody else's server. */
const foldersOf = (
  config: Pick<Config, "DATABASE_URL" | "DATA_DIR" | "KEY_DIR" | "KEY_MIRROR_DIR">,
): Folder[] => [
  ...(config.DATABASE_URL ? [] : [{ name: "DATA_DIR", path: config.DATA_DIR, leastBytes: leastRoomBytes }]),
  // Some 25,000 keys: what is left below that is the time to act in.
  { name: "KEY_DIR", path: config.KEY_DIR, leastBytes: mebibyte },
  ...(config.KEY_MIRROR_DIR
    ? [{ name: "KEY_MIRROR_DIR", path: config.KEY_MIRROR_DIR, leastBytes: mebibyte }]
    : []),
];

/**
 * Says which folder's disk is full or gone. A full one refuses orders, or is about to; without the mirror nothing is destroyed.
 * @param roomIn bytes that are left where a folder lies
 */
export const disksReady = (
  config: Parameters<typeof foldersOf>[0],
  roomIn: (path: string) => Promise<number> = freeBytesAt,
): ReadinessCheck => ({
  name: "disks",
  check: async () => {
    const troubles = await Promise.all(foldersOf(config).map((folder) => troubleOf(folder, roomIn)));
    return troubles.filter((trouble) => trouble !== undefined).join(", ") || undefined;
  },
});

async function troubleOf(
  { name, path, leastBytes }: Folder,
  roomIn: (path: string) => Promise<number>,
): Promise<string | undefined> {
  try {
    return (await roomIn(path)) < leastBytes ? `the disk of ${name} is full` : undefined;
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    return `${name} is not there`;
  }
}
