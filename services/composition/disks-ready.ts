import type { Config } from "../../infra/config/config.ts";
import { hasCode } from "../../infra/key-ring/durable-file.ts";
import { leastRoomBytes } from "../../infra/postgres/embedded-cluster.ts";
import { freeBytesAt } from "../../infra/process/free-bytes.ts";
import type { ReadinessCheck } from "../gateway/health.ts";

const mebibyte = 1_048_576;

type Folder = { readonly name: string; readonly path: string; readonly leastBytes: number };

/** Folders this process writes to; not an external database server's. */
const foldersOf = (
  config: Pick<Config, "DATABASE_URL" | "DATA_DIR" | "KEY_DIR" | "KEY_MIRROR_DIR">,
): Folder[] => [
  ...(config.DATABASE_URL ? [] : [{ name: "DATA_DIR", path: config.DATA_DIR, leastBytes: leastRoomBytes }]),
  // Room for some 25,000 keys, time enough to act.
  { name: "KEY_DIR", path: config.KEY_DIR, leastBytes: mebibyte },
  ...(config.KEY_MIRROR_DIR
    ? [{ name: "KEY_MIRROR_DIR", path: config.KEY_MIRROR_DIR, leastBytes: mebibyte }]
    : []),
];

/**
 * Reports a folder whose disk is full or missing. A full disk refuses orders, or is about to; without the mirror
 * nothing can be erased.
 * @param roomIn bytes free on the folder's disk
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
    return `${name} does not exist`;
  }
}
