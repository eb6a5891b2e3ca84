import { type ReactElement, StrictMode } from "react";
import { BrowserRouter } from "react-router-dom";
import type { SiteConfig } from "../../contract/site/site.ts";
import { configInPage, getConfig, knownOf } from "../site/config.ts";
import { App } from "./app.tsx";
import { loadPage } from "./public-pages.ts";

/** Where the page came without its configuration, the first paint waits this long for it, so that the sandbox banner does not push the page down. */
const patienceMs = 600;

/** The app as it is shown first, with the page of this address loaded, and the configuration if it comes in time. */
export async function loadApp(preRendered: boolean): Promise<ReactElement> {
  const known = knownOf(configInPage() ?? (await configInTime()));
  // A page that cannot be loaded says so in its own place, once the app is there.
  await loadPage(location.pathname).catch(() => undefined);
  return (
    <StrictMode>
      <BrowserRouter>
        <App known={known} preRendered={preRendered} />
      </BrowserRouter>
    </StrictMode>
  );
}

const configInTime = (): Promise<SiteConfig | undefined> =>
  Promise.race([
    getConfig().catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patienceMs)),
  ]);
