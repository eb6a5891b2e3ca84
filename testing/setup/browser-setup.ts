import { buildWebWhenChanged } from "../../infra/setup/build-web.ts";
import { provideChromium } from "./provide-programs.ts";

/** Vitest's global set-up for the browser tests: a Chromium that runs here, and the current pages. */
export default async function setup(): Promise<void> {
  const failure = await provideChromium();
  if (failure !== undefined) throw new Error(`The browser tests cannot run: ${failure}.`);
  await buildWebWhenChanged();
}
