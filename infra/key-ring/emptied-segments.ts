import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, syncFolder } from "./durable-file.ts";

/** Names of segments whose every key was destroyed: their files are gone, and each of their slots counts as zeros. */
export type EmptiedSegments = {
  names(): Promise<ReadonlySet<string>>;
  /** Notes more of them, and returns once a power cut would not lose it. */
  add(segments: readonly string[]): Promise<void>;
};

const segmentName = /^[0-9a-f]{32}$/;

/**
 * The list of one folder, a line each. Several processes append to it; a line that a crash cut off counts for nothing, for its segment's file
 * is removed only after the line is on the disk.
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
        // From a new line on: what a crash left may lack its end.
        await file.writeFile(`\n${lines.join("\n")}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolder(directory);
    },
  };
}
