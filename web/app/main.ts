import "./zod-without-eval.ts";
import { breath, quietMoment } from "./quiet-moment.ts";
import { reloadWhenOutdated } from "./reload-when-outdated.ts";

reloadWhenOutdated(Date.now);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root.");

// A page rendered by the server works without the app: it can be read, and its links followed. So the app hydrates
// later and piece by piece; in one go it would block a phone's thread for a tenth of a second or more. A frame is
// useless without the app, which then starts at once and replaces it.
const preRendered = root.firstElementChild !== null && root.querySelector("[data-frame]") === null;
if (preRendered) {
  await quietMoment();
  // All of the app's files are asked for at once; below they run one after the other.
  for (const link of document.querySelectorAll("link[data-later]")) link.setAttribute("rel", "modulepreload");
}
const { createRoot, hydrateRoot } = await import("react-dom/client");
await breath();
const { loadApp, showApp } = await import("./load-app.tsx");
const app = await loadApp(preRendered);
await breath();
if (preRendered) hydrateRoot(root, app);
else showApp(createRoot(root), app);
