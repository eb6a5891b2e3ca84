import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, syncFolder } from "./durable-file.ts";

/** Names of segments in which every key was erased: their files are gone, and each slot counts as zeros. */
export type EmptiedSegments = {
  names(): Promise<ReadonlySet<string>>;
  /** Adds names, and returns once they would survive a power cut. */
  add(segments: readonly string[]): Promise<void>;
};

const segmentName = /^[0-9a-f]{32}$/;

/**
 * The list of one folder, one name per line. Several processes append to it; a line cut off by a crash is ignored,
 * because its segment's file is removed only once the line is on disk.
 */
export function emptiedSegments(directory: string): EmptiedSegments {
  const path = join(directory, "emptied.list");
  const names = async () => {
    const text = await readFile(path, "latin1").catch((error: unknown) => {
      if (hasCode(error, "ENOENT")) return "";
      throw error;
    });
    return new Set(text.split("\n").filter((line) => segmentName.test(line)));
  };
  return {
    names,
    add: async (segments) => {
      const noted = await names();
      const lines = segments.filter((segment) => !noted.has(segment));
      if (lines.length === 0) return;
      const file = await open(path, "a", 0o600);
      try {
        // Starts a new line: the last one may have been cut off by a crash.
        await file.writeFile(`\n${lines.join("\n")}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolder(directory);
    },
  };
}
