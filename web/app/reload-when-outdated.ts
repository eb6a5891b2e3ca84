const key = "reloaded-at";
const notAgainWithinMs = 30_000;

/**
 * A page opened before an update requests files that no longer exist: reloading fetches the new ones and keeps the
 * draft. Limited in frequency, so files missing for another reason cause no endless reload; and never offline, where
 * the browser's error page would replace ours.
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
