import { breath, quietMoment } from "./quiet-moment.ts";
import { reloadWhenOutdated } from "./reload-when-outdated.ts";

reloadWhenOutdated(Date.now);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root.");

// What the server rendered reads without us, and its links lead on. So the app comes after it, and piece by piece: in one go it
// would hold a phone's only thread for a tenth of a second and more. A frame can do nothing without us: then the app comes at once, and
// takes its place.
const preRendered = root.firstElementChild !== null && root.querySelector("[data-frame]") === null;
if (preRendered) await quietMoment();
await import("./zod-without-eval.ts");
await breath();
const { createRoot, hydrateRoot } = await import("react-dom/client");
await breath();
const { loadApp } = await import("./load-app.tsx");
const app = await loadApp(preRendered);
await breath();
if (preRendered) hydrateRoot(root, app);
else createRoot(root).render(app);
