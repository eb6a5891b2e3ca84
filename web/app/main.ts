import { isTextPage } from "../paths.ts";
import { drawOnSight } from "../ui/rosette-on-sight.ts";
import { breath, quietMoment } from "./quiet-moment.ts";

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
  const { loadApp, showApp } = await import("./app.tsx");
  const app = await loadApp(preRendered);
  await breath();
  if (preRendered && !isTranslated(root)) hydrateRoot(root, app);
  else showApp(createRoot(root), app);
}

/** A page that the browser has translated is no longer what the server rendered: React would refuse to hydrate it. */
function isTranslated(root: HTMLElement): boolean {
  return document.documentElement.lang !== "en-GB" || root.querySelector("font") !== null;
}

/**
 * Closes the phone's menu when a link is picked and when the focus goes elsewhere. With Escape, or a press elsewhere,
 * the browser does so itself.
 */
function closeMenuOnLeaving(): void {
  const menu = () => document.getElementById("menu");
  addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("#menu a") !== null) menu()?.hidePopover();
  });
  addEventListener("focusin", ({ target }) => {
    if (target instanceof Element && target.closest("#menu") === null) menu()?.hidePopover();
  });
}

/** What a page of text does without the app: draws its ornament, and fetches the app ahead for a page that needs it. */
function completeTextPage(): void {
  for (const place of document.querySelectorAll<HTMLElement>("[data-rosette]")) drawOnSight(place);
  for (const kind of ["pointerover", "focusin"]) addEventListener(kind, fetchAppAhead, { passive: true });
}

/** Once a link to a page that needs the app is pointed at, touched or focused: most visits read and leave. */
function fetchAppAhead({ target }: Event): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (link === null || link.origin !== location.origin || isTextPage(link.pathname)) return;
  for (const file of document.querySelectorAll("link[data-later]")) file.setAttribute("rel", "modulepreload");
}
