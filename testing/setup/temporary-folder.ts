import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

/** A new folder, removed at the end of the test that makes it, or of the file that does. */
export function temporaryFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `certificates-${purpose}-`));
  made.push(folder);
  return folder;
}

/** For between-tests.ts. @returns removes the folders made since this call; a killed process may still write there */
export function folderRemover(): () => void {
  const before = made.length;
  return () => {
    for (const folder of made.splice(before))
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  };
}
