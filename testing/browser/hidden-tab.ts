import type { BrowserContext, Page } from "playwright-core";

declare global {
  interface Window {
    setTabHidden: (hidden: boolean) => void;
  }
}

const throttledMs = 1_000;

/**
 * Tabs that can be put behind another one, which a Chromium without windows cannot do. In a hidden tab and its frames
 * nothing is painted: frames that a script asks for, and what observers of sizes, sights and paints would see, wait
 * until it is shown. Timers take a second or more.
 */
export async function hideableTabs(context: BrowserContext): Promise<void> {
  await context.addInitScript((throttledMs) => {
    let hidden = false;
    const waiting = new Map<number, () => void>();
    let asked = 0;
    const onceShown = (run: () => void): number => {
      asked += 1;
      waiting.set(asked, run);
      return asked;
    };
    const frame = requestAnimationFrame.bind(window);
    const cancel = cancelAnimationFrame.bind(window);
    window.requestAnimationFrame = (run) => (hidden ? -onceShown(() => frame(run)) : frame(run));
    window.cancelAnimationFrame = (id) => (waiting.delete(-id) ? undefined : cancel(id));
    for (const name of ["setTimeout", "setInterval"] as const) {
      const set: (run: TimerHandler, ms?: number, ...rest: unknown[]) => number = window[name].bind(window);
      const throttled = (run: TimerHandler, ms = 0, ...rest: unknown[]): number =>
        set(run, hidden ? Math.max(ms, throttledMs) : ms, ...rest);
      Object.assign(window, { [name]: throttled });
    }
    for (const name of ["IntersectionObserver", "ResizeObserver", "PerformanceObserver"] as const) {
      const Observer = window[name];
      const patient = new Proxy(Observer, {
        construct: (target, [seen, ...rest]) =>
          Reflect.construct(target, [
            (...parts: unknown[]) => (hidden ? onceShown(() => seen(...parts)) : seen(...parts)),
            ...rest,
          ]),
      });
      Object.assign(window, { [name]: patient });
    }
    Object.defineProperties(document, {
      hidden: { configurable: true, get: () => hidden },
      visibilityState: { configurable: true, get: () => (hidden ? "hidden" : "visible") },
      hasFocus: { configurable: true, value: () => !hidden },
    });
    window.setTabHidden = (value) => {
      hidden = value;
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      window.dispatchEvent(new Event(hidden ? "blur" : "focus"));
      if (hidden) return;
      for (const run of waiting.values()) run();
      waiting.clear();
    };
  }, throttledMs);
}

/** Puts the tab behind another one, with every page that it goes on to. @returns what shows it again */
export async function hideTab(page: Page): Promise<() => Promise<void>> {
  const onward = await page.addInitScript(() => window.setTabHidden(true));
  await setHidden(page, true);
  return async () => {
    await onward.dispose();
    await setHidden(page, false);
  };
}

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await Promise.all(
    page.frames().map((frame) => frame.evaluate((value) => window.setTabHidden(value), hidden)),
  );
}
