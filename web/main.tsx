import "./zod-without-eval.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { getConfig } from "./api/get-config.ts";
import { App } from "./app.tsx";
import { api } from "./paths.ts";
import { reloadWhenOutdated } from "./reload-when-outdated.ts";

reloadWhenOutdated(Date.now);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root.");

/** The first paint waits this long for the configuration, so that the sandbox banner does not push the page down. */
const patienceMs = 600;

const known = await Promise.race([
  getConfig().catch(() => undefined),
  new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patienceMs)),
]);

createRoot(root).render(
  <StrictMode>
    <App known={known ? { [api.config]: known } : {}} />
  </StrictMode>,
);
