const key = "reloaded-at";
const notAgainWithinMs = 30_000;

/**
 * A page that was opened before an update asks for files that are gone: reloading brings the new ones, and the draft is
 * kept. Once in a while only, so that files which are missing for another reason do not reload the page for ever.
 */
export function reloadWhenOutdated(nowMs: () => number): void {
  addEventListener("vite:preloadError", (event) => {
    const last = Number(sessionStorage.getItem(key) ?? 0);
    if (nowMs() - last < notAgainWithinMs) return;
    event.preventDefault();
    sessionStorage.setItem(key, String(nowMs()));
    location.reload();
  });
}
