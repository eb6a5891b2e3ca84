import { readFile } from "node:fs/promises";
import { z } from "zod";

const packageFile = z.object({ version: z.string() });

/** The version that this code calls itself, from its package.json. */
export async function productVersion(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return packageFile.parse(JSON.parse(text)).version;
}
