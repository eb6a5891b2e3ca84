import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type Locator,
  type Page,
} from "playwright-core";
import { expect, onTestFailed } from "vitest";
import { findChromium } from "../../infra/setup/find-chromium.ts";
import { patienceMs } from "../setup/patience.ts";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const quietFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A frame with a process of its own is hit where it last was on the screen: a click right after scrolling goes
  // astray.
  "--disable-site-isolation-trials",
];

/** A real Chromium without a window, as patient as all tests. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("No Chromium was found: install it or set CHROMIUM_PATH.");
  const browser = await chromium.launch({ executablePath, args: quietFlags, timeout: patienceMs });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(patienceMs);
    return context;
  };
  return browser;
}

/** A new visitor. `faults` collects what the page complained of: a test ends by expecting none. */
export async function newVisitor(
  browser: Browser,
  url: string,
  width = 1280,
  more: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page; faults: string[] }> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: width < 700 ? 800 : 900 },
    reducedMotion: "reduce",
    ...more,
  });
  letGoOfRoutesOnClosing(context);
  if (expect.getState().currentTestName)
    onTestFailed(async ({ task }) => {
      for (const error of task.result?.errors ?? []) error.stack = `${error.stack}\n${await shown(context)}`;
    });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      faults.push(`${message.type()}: ${message.text()}`);
  });
  return { context, page, faults };
}

/** What stands on each open page and in its frames, without the header and the footer, for a test that failed. */
async function shown(context: BrowserContext): Promise<string> {
  const frames = context.pages().flatMap((page) => page.frames());
  const contents = frames.map(async (frame) => `${frame.url()}\n${await contentOf(frame).catch(String)}`);
  return (await Promise.all(contents)).join("\n\n");
}

async function contentOf(frame: Frame): Promise<string> {
  const parts = await frame.locator("main, [aria-label^=Notifications], body:not(:has(main))").all();
  return (await Promise.all(parts.map((part) => part.ariaSnapshot({ timeout: 5_000 })))).join("\n");
}

/**
 * A request that a test answers in the server's place may be under way when its page goes: without this it fails the
 * whole run.
 */
function letGoOfRoutesOnClosing(context: BrowserContext): void {
  const close = context.close.bind(context);
  context.close = async (options) => {
    const routed = [context, ...context.pages()];
    await Promise.all(routed.map((one) => one.unrouteAll({ behavior: "ignoreErrors" })));
    await close(options);
  };
}

/** For `locator.evaluate`: true when the element has the focus. */
export const isFocused = (element: Element): boolean => element === document.activeElement;

/** For `locator.evaluate`: true when all of the element can be seen without scrolling. */
export const isInView = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
};

/** What opens the menu on a phone. */
export const menuButton = (page: Page): Locator => page.getByRole("button", { name: "Menu" });

/** Waits until a page has all that it asks for, and has shown it. */
export const settled = (page: Page): Promise<void> => page.waitForLoadState("networkidle");

/**
 * Waits until the script has taken over what the server rendered: before that only links and the browser's own controls
 * work.
 */
export const takenOver = async (page: Page): Promise<void> => {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("h1") ?? {}).some((key) => key.startsWith("__react")),
  );
};

const axeScript = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** WCAG 2.2 AA, and what axe recommends. */
const everyRule: axe.RunOnly = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};

/** What depends on the colours. */
const colourRules: axe.RunOnly = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** What axe checks in a frame of another origin, it tells the page in messages that name an origin. */
const axeSettings: axe.Spec = { allowedOrigins: ["<unsafe_all_origins>"] };

/**
 * Fails with every violation of WCAG 2.2 AA that axe finds on the page as it stands, in its frames too, in light and in
 * dark. Leaves the page in light.
 */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  for (const frame of page.frames()) {
    if (await frame.evaluate(() => "axe" in window)) continue;
    await frame.evaluate(`${axeScript}; axe.configure(${JSON.stringify(axeSettings)})`);
  }
  const violations = (rules: axe.RunOnly): Promise<string[]> =>
    page.evaluate(async (runOnly) => {
      const found = await window.axe.run(document, { runOnly, resultTypes: ["violations"] });
      return found.violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
      );
    }, rules);
  expect(await violations(everyRule), `accessibility of ${state}`).toEqual([]);
  // With colours of the reader's own there is one scheme.
  if (await page.evaluate(() => matchMedia("(forced-colors: active)").matches)) return;
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await violations(colourRules), `colours of ${state} in dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
}

/** Fails when the page can be scrolled sideways. */
export async function expectNoSidewaysScroll(page: Page, state: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `sideways scroll of ${state}`).toBeLessThanOrEqual(0);
}
