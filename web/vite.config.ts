import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, loadEnv, type Plugin } from "vite";

const renderingFolder = ".rendering";

/** What renders pages lies inside the app's folder, wherever the command says that this is: both are put in place as one. */
const renderingInside: Plugin = {
  name: "rendering-inside",
  config: ({ build }) => ({
    environments: { ssr: { build: { outDir: `${build?.outDir ?? "dist"}/${renderingFolder}` } } },
  }),
};

/**
 * Our own modules that every page loads, in one file: each in its own, because the back office uses it too, they are compressed
 * without one another and came to 3 KB more (122.4 instead of 119.4, gzipped).
 */
const base = [
  /\/web\/(app|clock|known|on-demand|paths|pre-rendered|public-pages|reload-when-outdated|zod-without-eval)\.tsx?$/,
  /\/web\/(layout|features\/home)\//,
  /\/web\/ui\/(dates|despatch-line|honest-price|page-heading|rosette|guilloche|status-badge|toast-outlet|toasts)\.tsx?$/,
  /\/web\/api\/(get-config|get-prices|request|credential-hints|problem|newest-position)\.ts$/,
];
const isBase = (module: string): boolean => base.some((pattern) => pattern.test(module));

const asMini = "?mini";

/**
 * Gives `zod/mini` a core of its own. With one core for all, home would load whatever the forms of any other page need of the whole of
 * zod, because a module lies in one file for everybody who imports it: 8 KB of script (gzipped).
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
 * Builds the web app into web/dist, and into its folder `.rendering`, which is never served, what the gateway renders the
 * public pages with. In development, passes what the gateway serves on to it.
 */
export default defineConfig(({ mode }) => {
  const { PORT = "3000" } = loadEnv(mode, process.cwd(), "PORT");
  const gateway = { target: `http://127.0.0.1:${PORT}`, changeOrigin: false };
  return {
    root: import.meta.dirname,
    plugins: [react(), tailwindcss(), renderingInside, ownCoreForMini],
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
            output: {
              codeSplitting: {
                groups: [{ name: "base", test: isBase, includeDependenciesRecursively: false }],
              },
            },
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
      proxy: { "^/api/(?!.*\\.tsx?($|\\?))": gateway, "/sandbox": gateway },
    },
  };
});
