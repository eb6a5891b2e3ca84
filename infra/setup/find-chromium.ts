import { existsSync } from "node:fs";
import { packagedChromium } from "./packaged-chromium.ts";

const usualPlaces = [
  // The engine without the browser's windows and services: the same pages for less than half the work.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/**
 * CHROMIUM_PATH, else the package's once `npm test` has unpacked it, else the first of the usual paths that exists,
 * else undefined.
 */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) return existsSync(CHROMIUM_PATH) ? CHROMIUM_PATH : undefined;
  return packagedChromium()?.program() ?? usualPlaces.find((path) => existsSync(path));
}
