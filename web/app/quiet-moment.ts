/** Longest wait, after the page has loaded, for the first paint, and again for an idle moment. */
const patienceMs = 2_000;

/** Resolves once the page is loaded and painted and the browser is idle, or at once on user input. */
export const quietMoment = (): Promise<void> => Promise.race([pressed(), calm()]);

/** Lets the browser paint and handle input before the next piece of work. */
export const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Links work by themselves, and files requested while leaving the page would only fail. */
const leads = ({ target }: Event): boolean => target instanceof Element && target.closest("a[href]") !== null;

const pressed = (): Promise<void> =>
  new Promise((resolve) => {
    // A field may be filled without a key press: by autofill or speech.
    for (const press of ["pointerdown", "keydown", "input"]) {
      addEventListener(press, (event) => leads(event) || resolve(), { passive: true });
    }
  });

async function calm(): Promise<void> {
  await loaded();
  // A loaded page may not be painted yet, and our requests would delay that.
  await Promise.race([painted(), new Promise((resolve) => setTimeout(resolve, patienceMs))]);
  await idle();
}

const loaded = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.readyState === "complete") resolve();
    else addEventListener("load", () => resolve(), { once: true });
  });

const painted = (): Promise<void> =>
  new Promise((resolve) => {
    const watcher = new PerformanceObserver((seen) => {
      if (seen.getEntriesByName("first-contentful-paint").length === 0) return;
      watcher.disconnect();
      resolve();
    });
    watcher.observe({ type: "paint", buffered: true });
  });

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    // Safari has no idle callback.
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: patienceMs });
    else setTimeout(resolve, 50);
  });
