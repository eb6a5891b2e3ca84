import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, loadEnv } from "vite";

/** Builds the web app into web/dist; in development, passes what the gateway serves on to it. */
export default defineConfig(({ mode }) => {
  const { PORT = "3000" } = loadEnv(mode, process.cwd(), "PORT");
  const gateway = { target: `http://127.0.0.1:${PORT}`, changeOrigin: false };
  return {
    root: import.meta.dirname,
    plugins: [react(), tailwindcss()],
    build: {
      outDir: "dist",
      emptyOutDir: true,
      target: "es2022",
      // The content security policy refuses data: URIs, for fonts above all, so nothing is inlined.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
    server: { host: "127.0.0.1", proxy: { "/api": gateway, "/sandbox": gateway } },
  };
});
