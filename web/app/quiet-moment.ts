/** From the page being loaded on, the first paint and an idle moment are waited for no longer than this each. */
const patienceMs = 2_000;

/** Resolves when the page is loaded and painted and the browser has nothing else to do, or at once when somebody presses something. */
export const quietMoment = (): Promise<void> => Promise.race([pressed(), calm()]);

/** Lets the browser paint and answer what was pressed before the next piece of work. */
export const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** A link leads away by itself, and files that are asked for while one leaves would only fail. */
const leads = ({ target }: Event): boolean => target instanceof Element && target.closest("a[href]") !== null;

const pressed = (): Promise<void> =>
  new Promise((resolve) => {
    // A field may be filled without a key: by an autofill, or by speech.
    for (const press of ["pointerdown", "keydown", "input"]) {
      addEventListener(press, (event) => leads(event) || resolve(), { passive: true });
    }
  });

async function calm(): Promise<void> {
  await loaded();
  // A page that is loaded need not be painted yet: what we asked for now would come in its way.
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
