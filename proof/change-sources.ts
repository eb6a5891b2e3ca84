import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

/** Other words in a file of the product, where a proof loads it. */
export type SourceChange = { readonly file: string; readonly from: string; readonly to: string };

/**
 * Puts a planted fault's changes into the files that are loaded from now on.
 * @throws if one of the files is gone, or says something else by now
 */
export function changeSources(changes: readonly SourceChange[]): void {
  for (const change of changes)
    changed(readFileSync(new URL(`../${change.file}`, import.meta.url), "utf8"), change);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const own = changes.filter(({ file }) => url.endsWith(`/${file}`));
      return own.length > 0 ? { ...loaded, source: own.reduce(changed, String(loaded.source)) } : loaded;
    },
  });
}

function changed(text: string, { file, from, to }: SourceChange): string {
  if (!text.includes(from)) throw new Error(`${file} no longer says: ${from}`);
  return text.replace(from, () => to);
}
