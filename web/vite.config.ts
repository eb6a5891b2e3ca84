import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, loadEnv, type Plugin } from "vite";

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

/** What main.ts loads one after the other, so that each is a task of its own. */
const appPieces = /\/(?:zod-without-eval\.ts|react-dom\/client\.js|load-app\.tsx)$/;

/** Looks modules up while the app is put together. */
type Modules = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

/**
 * One file for all that is there on every page: two dozen small ones compress worse (by 3 KB of 120), and each is a
 * request.
 */
function filesByUse() {
  const app = new Set<string>();
  const add = (id: string, modules: Modules): void => {
    if (app.has(id)) return;
    app.add(id);
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) add(imported, modules);
  };
  const name = (id: string, modules: Modules): string | null => {
    add(`${import.meta.dirname}/app/load-app.tsx`, modules);
    return app.has(id) ? "app" : null;
  };
  return {
    includeDependenciesRecursively: false,
    // zod stays by itself: its setting must be made before any schema is, and so must not bring the schemas along.
    groups: [{ name, debugName: "app", test: /^(?!.*[\\/]zod[\\/])/ }],
  };
}

/**
 * Names the files of the app in the page, so that a browser asks for all of them at once while main.ts runs them in
 * turn. What the server renders leaves them out: it is read first.
 */
const appAskedForAtOnce: Plugin = {
  name: "app-asked-for-at-once",
  transformIndexHtml: {
    order: "post",
    handler: (_html, { bundle = {} }) => {
      const asked = new Set<string>();
      const ask = (name: string): void => {
        const file = bundle[name];
        if (file?.type !== "chunk" || asked.has(name)) return;
        asked.add(name);
        for (const imported of file.imports) ask(imported);
      };
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk" && appPieces.test(file.facadeModuleId ?? "")) ask(name);
      }
      const link = (name: string) => ({ rel: "modulepreload", crossorigin: true, href: `/${name}` });
      return [...asked].map((name) => ({ tag: "link", attrs: link(name), injectTo: "head" }));
    },
  },
};

const asMini = "?mini";

/**
 * Gives `zod/mini` a core of its own. With one core for all, home would load whatever the forms of any other page need
 * of the whole of zod, because a module lies in one file for everybody who imports it: 8 KB of script (gzipped).
 */
const ownCoreForMini: Plugin = {
  name: "own-core-for-zod-mini",
  apply: "build",
  enforce: "pre",
  async resolveId(source, importer, options) {
    const inside = importer?.endsWith(asMini) ?? false;
    if (source !== "zod/mini" && !(inside && source.startsWith("."))) return null;
    const resolved = await this.resolve(source, importer?.replace(asMini, ""), {
      ...options,
      skipSelf: true,
    });
    return resolved && { ...resolved, id: `${resolved.id}${asMini}` };
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
    plugins: [react(), tailwindcss(), renderingInside, ownCoreForMini, appAskedForAtOnce],
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
        "^/transparency/(checkpoint|key|tile)": gateway,
      },
    },
  };
});
