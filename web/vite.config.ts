import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import subset from "subset-font";
import { defineConfig, loadEnv, normalizePath, type Plugin } from "vite";

const renderingFolder = ".rendering";

/**
 * What renders pages lies inside the app's folder, wherever the command says that this is: both are put in place as
 * one.
 */
const renderingInside: Plugin = {
  name: "rendering-inside",
  config: ({ build }) => ({
    environments: { ssr: { build: { outDir: `${build?.outDir ?? "dist"}/${renderingFolder}` } } },
  }),
};

const sources = normalizePath(join(import.meta.dirname, ".."));

/** What main.ts loads one after the other, so that each is a task of its own. */
const appPieces = /\/(?:react-dom\/client\.js|web\/app\/app\.tsx)$/;

/** The pages with the app that visitors come to, and the modules that app.tsx loads for each. */
const pagePieces = Object.entries({
  order: ["domain/forms/personal-details.ts", "web/features/order/order-page.tsx"],
  lookup: ["web/features/lookup/lookup-page.tsx"],
  support: ["web/features/support/support-page.tsx"],
  "data-protection": ["web/features/support/data-protection-page.tsx"],
  transparency: ["web/features/information/transparency-page.tsx"],
  verify: ["web/features/information/verify-page.tsx"],
}).map(([page, pieces]) => ({ page, pieces: pieces.map((piece) => `${sources}/${piece}`) }));

/** Looks modules up while the app is put together. */
type Modules = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

/**
 * One file for what every page needs, and one for each set of `pagePieces` that need the same: dozens of small ones
 * compress worse, and each is a request.
 */
function filesByUse() {
  const reach = (ids: readonly string[], modules: Modules, reached: Set<string>): void => {
    for (const id of ids) {
      if (reached.has(id)) continue;
      reached.add(id);
      reach(modules.getModuleInfo(id)?.importedIds ?? [], modules, reached);
    }
  };
  const everywhere = new Set<string>();
  const pages = pagePieces.map((page) => ({ ...page, reached: new Set<string>() }));
  const name = (id: string, modules: Modules): string | null => {
    reach([`${sources}/web/app/app.tsx`], modules, everywhere);
    for (const { pieces, reached } of pages) reach(pieces, modules, reached);
    if (everywhere.has(id)) return "shared";
    // An import of zod reaches all of it, and uses only a part: the bundler knows which.
    if (id.includes("/node_modules/zod/")) return null;
    return (
      pages
        .filter(({ reached }) => reached.has(id))
        .map(({ page }) => page)
        .join("-") || null
    );
  };
  return {
    includeDependenciesRecursively: false,
    groups: [
      // What main.ts needs stays by itself: it would otherwise run only once the whole app has come.
      {
        name: "start",
        test: /[\\/](?:preload-helper|quiet-moment|rosette-on-sight|web\/paths)\b/,
        priority: 1,
      },
      { name, debugName: "shared" },
    ],
  };
}

/**
 * Names the files of the app in the page, so that a browser asks for all of them at once while main.ts runs them in
 * turn; and those of `pagePieces`, marked with the page, for the server to keep or drop. Where the server rendered the
 * whole page, it leaves the files for later: the page is read first.
 */
const filesAskedForAtOnce: Plugin = {
  name: "files-asked-for-at-once",
  transformIndexHtml: {
    order: "post",
    handler: (html, { bundle = {} }) => {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const filesOf = (isPiece: (id: string) => boolean, known: ReadonlySet<string>): Set<string> => {
        const asked = new Set<string>();
        const ask = (name: string): void => {
          const file = bundle[name];
          if (file?.type !== "chunk" || asked.has(name) || known.has(name)) return;
          asked.add(name);
          for (const imported of file.imports) ask(imported);
        };
        for (const { fileName, facadeModuleId } of chunks)
          if (facadeModuleId !== null && isPiece(facadeModuleId)) ask(fileName);
        return asked;
      };
      const links = (names: ReadonlySet<string>, page?: string) =>
        [...names].map((name) => ({
          tag: "link",
          attrs: {
            rel: "modulepreload",
            crossorigin: true,
            href: `/${name}`,
            ...(page && { "data-page": page }),
          },
          injectTo: "head" as const,
        }));
      // Vite names what main.ts itself imports.
      const start = new Set(chunks.map(({ fileName }) => fileName).filter((name) => html.includes(name)));
      const app = filesOf((id) => appPieces.test(id), start);
      const pages = pagePieces.flatMap(({ page, pieces }) =>
        links(
          filesOf((id) => pieces.includes(id), new Set([...start, ...app])),
          page,
        ),
      );
      return [...links(app), ...pages];
    },
  },
};

const modules = join(import.meta.dirname, "..", "node_modules");

/** A face of tokens.css that shows a subset: its weights, its name and its ranges of characters. */
const subsetFace =
  /font-weight: (\d+) ?(\d*);[^}]*node_modules\/\.fonts\/([\w-]+)\.woff2[^}]*unicode-range:([^;]+);/g;

function charactersIn(ranges: string): string {
  const points = [...ranges.matchAll(/U\+([\dA-F]+)-?([\dA-F]*)/g)].flatMap(([, first = "", last]) => {
    const start = Number.parseInt(first, 16);
    return Array.from(
      { length: Number.parseInt(last || first, 16) - start + 1 },
      (_, index) => start + index,
    );
  });
  return String.fromCodePoint(...points);
}

/**
 * Makes the subsets of typefaces that tokens.css asks for, in node_modules/.fonts: 35 KB instead of 147 before a page
 * looks as it should.
 */
const subsetFonts: Plugin = {
  name: "subset-fonts",
  applyToEnvironment: ({ name }) => name === "client",
  async buildStart() {
    const folder = join(modules, ".fonts");
    mkdirSync(folder, { recursive: true });
    const tokens = readFileSync(join(import.meta.dirname, "styles", "tokens.css"), "utf8");
    for (const [, min, max, typeface, ranges = ""] of tokens.matchAll(subsetFace)) {
      const whole = `@fontsource-variable/${typeface}/files/${typeface}-latin-wght-normal.woff2`;
      const wght = max ? { min: Number(min), max: Number(max) } : Number(min);
      // Kerning, and figures of equal width for columns. A constant, because the package's types lack `keepFeatures`.
      const options = { variationAxes: { wght }, keepFeatures: ["kern", "tnum"] };
      const font = await subset(readFileSync(join(modules, whole)), charactersIn(ranges), options);
      // Renamed into place, because another build may be reading it.
      const draft = join(folder, `${typeface}.${process.pid}`);
      writeFileSync(draft, font);
      renameSync(draft, join(folder, `${typeface}.woff2`));
    }
  },
};

/** Puts a compressed copy beside each script and style: too slow to be made for each request, and a tenth smaller. */
const compressed: Plugin = {
  name: "compressed",
  applyToEnvironment: ({ name }) => name === "client",
  writeBundle({ dir = "" }, bundle) {
    for (const name of Object.keys(bundle).filter((name) => /\.(?:js|css)$/.test(name))) {
      const file = join(dir, name);
      writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
    }
  },
};

/**
 * Builds the web app into web/dist, and into its folder `.rendering`, which is never served, what the gateway renders
 * the public pages with. In development, passes what the gateway serves on to it.
 */
export default defineConfig(({ mode }) => {
  const { PORT = "3000" } = loadEnv(mode, process.cwd(), "PORT");
  const gateway = { target: `http://127.0.0.1:${PORT}`, changeOrigin: false };
  return {
    root: import.meta.dirname,
    // Texts in elements of their own, for browsers that translate pages.
    resolve: { alias: { "text-in-elements": join(import.meta.dirname, "rendering", "elements") } },
    plugins: [
      react({ jsxImportSource: "text-in-elements" }),
      subsetFonts,
      tailwindcss(),
      renderingInside,
      filesAskedForAtOnce,
      compressed,
    ],
    build: {
      outDir: "dist",
      target: "es2022",
      // The content security policy refuses data: URIs, for fonts above all, so nothing is inlined.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      emptyOutDir: true,
    },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            output: { codeSplitting: filesByUse() },
          },
        },
      },
      ssr: {
        // One file with everything in it: React in its production build, whatever NODE_ENV the server runs with.
        resolve: { noExternal: true },
        build: {
          copyPublicDir: false,
          rolldownOptions: { input: { pages: "rendering/pages.tsx" }, output: { codeSplitting: false } },
        },
      },
    },
    builder: {
      buildApp: async (builder) => {
        // In turn: the first empties the folder that the second builds into.
        for (const name of ["client", "ssr"]) {
          const environment = builder.environments[name];
          if (environment) await builder.build(environment);
        }
      },
    },
    server: {
      host: "127.0.0.1",
      // The sources of web/api/ lie below the same path; a module has an extension, a route has none.
      proxy: {
        "^/api/(?!.*\\.tsx?($|\\?))": gateway,
        "/sandbox": gateway,
        "^/transparency/(checkpoint|key|tile|witnesses)": gateway,
      },
    },
  };
});
