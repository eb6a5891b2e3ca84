import { type ReactElement, StrictMode, startTransition } from "react";
import type { Root } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import type { SiteConfig } from "../../contract/site/site.ts";
import { configInPage, getConfig, knownOf } from "../site/config.ts";
import { App, loadPage } from "./app.tsx";

/** Longest wait of the first paint for a missing configuration: a late sandbox banner would push the page down. */
const patienceMs = 600;

/** The app for the first paint, with this address's page loaded, and the configuration if it arrives in time. */
export async function loadApp(preRendered: boolean): Promise<ReactElement> {
  const known = knownOf(configInPage() ?? (await configInTime()));
  // A page that fails to load says so in its place, once the app is rendered.
  await loadPage(location.pathname).catch(() => undefined);
  return (
    <StrictMode>
      <BrowserRouter>
        <App known={known} preRendered={preRendered} />
      </BrowserRouter>
    </StrictMode>
  );
}

/** Renders in slices, so that a phone can react in between. */
export const showApp = (root: Root, app: ReactElement): void => startTransition(() => root.render(app));

const configInTime = (): Promise<SiteConfig | undefined> =>
  Promise.race([
    getConfig().catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patienceMs)),
  ]);
