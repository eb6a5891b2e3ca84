import { registerHooks } from "node:module";

/** Other words in a file of the product, where a proof loads it. */
export type SourceChange = { readonly file: string; readonly from: string; readonly to: string };

/** Puts a planted fault's changes into the files that are loaded from now on. */
export function changeSources(changes: readonly SourceChange[]): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const own = changes.filter(({ file }) => url.endsWith(`/${file}`));
      const source = own.reduce((text, { file, from, to }) => {
        if (!text.includes(from)) throw new Error(`${file} no longer says: ${from}`);
        return text.replace(from, () => to);
      }, String(loaded.source));
      return own.length > 0 ? { ...loaded, source } : loaded;
    },
  });
}
