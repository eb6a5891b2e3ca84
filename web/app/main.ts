import { closeMenuOnLeaving } from "../site/menu.ts";
import { breath, quietMoment } from "./quiet-moment.ts";
import { completeTextPage } from "./text-page.ts";

// zod probes for eval to compile its parsers; the content security policy refuses it and every probe would be reported
// as a violation. Set where zod itself looks for it, because most public pages never load zod; its own `config` would
// bring it along. Set before the app is loaded, because the probe's answer is kept.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const reloadedAt = "reloaded-at";
const notAgainWithinMs = 30_000;

/**
 * A page opened before an update requests files that no longer exist: reloading fetches the new ones and keeps the
 * draft. Limited in frequency, so files missing for another reason cause no endless reload; and never offline, where
 * the browser's error page would replace ours.
 */
function reloadWhenOutdated(nowMs: () => number): void {
  addEventListener("vite:preloadError", () => {
    const last = Number(sessionStorage.getItem(reloadedAt) ?? 0);
    if (nowMs() - last < notAgainWithinMs) return;
    void isReachable().then((reachable) => {
      if (!reachable) return;
      sessionStorage.setItem(reloadedAt, String(nowMs()));
      location.reload();
    });
  });
}

const isReachable = (): Promise<boolean> =>
  fetch("/", { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );

reloadWhenOutdated(Date.now);
closeMenuOnLeaving();

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root.");

// The server says when. A page of text needs the app never. A page with a form can be read without it, and its links
// followed: the app hydrates it later and piece by piece; in one go it would block a phone's thread for a tenth of a
// second or more. A frame, and an empty page in development, are useless without the app, which then starts at once.
const start = root.dataset.app;
if (start === "never") completeTextPage();
else await startApp(root, start === "later");

async function startApp(root: HTMLElement, preRendered: boolean): Promise<void> {
  if (preRendered) {
    await quietMoment();
    // All of the app's files are asked for at once; below they run one after the other.
    for (const link of document.querySelectorAll("link[data-later]"))
      link.setAttribute("rel", "modulepreload");
  }
  const { createRoot, hydrateRoot } = await import("react-dom/client");
  await breath();
  const { loadApp, showApp } = await import("./load-app.tsx");
  const app = await loadApp(preRendered);
  await breath();
  if (preRendered) hydrateRoot(root, app);
  else showApp(createRoot(root), app);
}
