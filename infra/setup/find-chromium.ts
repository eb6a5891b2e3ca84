import { existsSync } from "node:fs";

const usualPlaces = [
  // The engine without the browser's own windows and services: the same pages for less than half of the work.
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

/** CHROMIUM_PATH, else the first of the usual places that exists, else undefined. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...usualPlaces].find((path) => path && existsSync(path));
}
