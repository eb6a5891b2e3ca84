const key = "reloaded-at";
const notAgainWithinMs = 30_000;

/**
 * A page that was opened before an update asks for files that are gone: reloading brings the new ones, and the draft is
 * kept. Once in a while only, so that files which are missing for another reason do not reload the page for ever; and never
 * without a connection, when the page that is there would make way for the browser's own.
 */
export function reloadWhenOutdated(nowMs: () => number): void {
  addEventListener("vite:preloadError", () => {
    const last = Number(sessionStorage.getItem(key) ?? 0);
    if (nowMs() - last < notAgainWithinMs) return;
    void isReachable().then((reachable) => {
      if (!reachable) return;
      sessionStorage.setItem(key, String(nowMs()));
      location.reload();
    });
  });
}

const isReachable = (): Promise<boolean> =>
  fetch("/", { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
