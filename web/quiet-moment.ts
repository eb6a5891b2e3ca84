/** The first idle moment is waited for no longer than this. */
const patienceMs = 2_000;

/** Resolves when the page is loaded and the browser has nothing else to do, or at once when somebody presses something. */
export function quietMoment(): Promise<void> {
  return new Promise((resolve) => {
    const arrived = new AbortController();
    const { signal } = arrived;
    const go = (): void => {
      arrived.abort();
      resolve();
    };
    for (const press of ["pointerdown", "keydown"]) addEventListener(press, go, { signal, passive: true });
    if (document.readyState === "complete") whenIdle(go);
    else addEventListener("load", () => whenIdle(go), { signal });
  });
}

/** Lets the browser paint and answer what was pressed before the next piece of work. */
export const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function whenIdle(go: () => void): void {
  // Safari has no idle callback.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(go, { timeout: patienceMs });
  else setTimeout(go, 50);
}
