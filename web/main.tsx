import "./zod-without-eval.ts";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { getConfig } from "./api/get-config.ts";
import { App } from "./app.tsx";
import { configInPage, knownOf } from "./known.ts";
import { loadPublicPage } from "./public-pages.ts";
import { reloadWhenOutdated } from "./reload-when-outdated.ts";

reloadWhenOutdated(Date.now);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root.");

/** Where the page came without its configuration, the first paint waits this long for it, so that the sandbox banner does not push the page down. */
const patienceMs = 600;

const configInTime = (): Promise<Awaited<ReturnType<typeof getConfig>> | undefined> =>
  Promise.race([
    getConfig().catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patienceMs)),
  ]);

const preRendered = root.firstElementChild !== null;
const known = knownOf(configInPage() ?? (await configInTime()));
if (preRendered) await loadPublicPage(location.pathname);

const app = (
  <StrictMode>
    <BrowserRouter>
      <App known={known} preRendered={preRendered} />
    </BrowserRouter>
  </StrictMode>
);
if (preRendered) hydrateRoot(root, app);
else createRoot(root).render(app);
