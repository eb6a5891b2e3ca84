import { type ReactElement, StrictMode, Suspense, startTransition } from "react";
import type { Root } from "react-dom/client";
import { BrowserRouter, matchPath, Route, Routes } from "react-router-dom";
import { SWRConfig } from "swr";
import type { SiteConfig } from "../../contract/site/site.ts";
import { pages, type textPaths } from "../paths.ts";
import { type OnDemand, onDemand, PreRendered } from "../rendering/hydration.tsx";
import { configInPage, getConfig, knownOf } from "../site/config.ts";
import { ServerFault, SiteLayout } from "../site/site-layout.tsx";
import { breath } from "./quiet-moment.ts";

const priceAndProcess = () => import("../features/information/price-and-process.tsx");
const aboutTheSite = () => import("../features/information/about-the-site.tsx");

/** Pages of text and links, which the browser loads only on coming from a page with the app. */
export const textPages: Readonly<Record<(typeof textPaths)[number], OnDemand>> = {
  [pages.home]: onDemand(() => import("../features/home/home-page.tsx")),
  [pages.services]: onDemand(() => import("../features/information/services-page.tsx")),
  [pages.pricing]: onDemand(async () => ({ default: (await priceAndProcess()).PricingPage })),
  [pages.howItWorks]: onDemand(async () => ({ default: (await priceAndProcess()).HowItWorksPage })),
  [pages.about]: onDemand(async () => ({ default: (await aboutTheSite()).AboutPage })),
  [pages.terms]: onDemand(() => import("../features/information/terms-page.tsx")),
  [pages.privacy]: onDemand(() => import("../features/information/privacy-page.tsx")),
  [pages.cookies]: onDemand(async () => ({ default: (await aboutTheSite()).CookiesPage })),
  [pages.accessibility]: onDemand(async () => ({ default: (await aboutTheSite()).AccessibilityPage })),
};

/** Pages rendered by the server that can be read without the app, and need it for a form or a check. */
export const hydratedPages = {
  [pages.support]: onDemand(() => import("../features/support/support-page.tsx")),
  [pages.transparency]: onDemand(() => import("../features/information/transparency-page.tsx")),
  [pages.verify]: onDemand(() => import("../features/information/verify-page.tsx")),
  [pages.dataProtection]: onDemand(() => import("../features/support/data-protection-page.tsx")),
};

const signInArea = onDemand(() => import("../features/sign-in/sign-in-area.tsx"));

/** Pages that need scripts, by router pattern: the server renders only a frame. */
const scriptPages = {
  [pages.order]: onDemand(async () => {
    // Each a task of its own: in one go they would block a phone's thread for a quarter of a second.
    await import("../../domain/forms/personal-details.ts");
    await breath();
    const page = await import("../features/order/order-page.tsx");
    await breath();
    await page.loadOpenStep();
    return page;
  }),
  [pages.savedOrder]: onDemand(() => import("../features/order/saved-order-page.tsx")),
  [pages.orderConfirmation]: onDemand(() => import("../features/confirmation/confirmation-page.tsx")),
  [pages.lookup]: onDemand(() => import("../features/lookup/lookup-page.tsx")),
  [pages.conversation]: onDemand(() => import("../features/support/conversation-page.tsx")),
  [pages.error]: onDemand(async () => ({ default: ServerFault })),
  [pages.signIn]: signInArea,
  [pages.signUp]: signInArea,
  [pages.unauthorized]: signInArea,
  [pages.signedIn]: signInArea,
  [`${pages.adminLogin}/*`]: signInArea,
  [pages.accessAdmin]: signInArea,
  [pages.dashboard]: signInArea,
};

/** Everything below /accessadmin, which has a separate layout without the site's header and footer. */
const backOffice = {
  pattern: `${pages.accessAdmin}/*`,
  ...onDemand(() => import("../back-office/back-office.tsx")),
};

/** Shown for any unknown address; the server renders it too, and answers 404. */
const notFoundPage = onDemand(() => import("../features/utility/not-found-page.tsx"));

const sitePages = { ...textPages, ...hydratedPages, ...scriptPages };

/** Loads the script of the page at an address. */
export async function loadPage(path: string): Promise<void> {
  const known = Object.entries({ ...sitePages, [backOffice.pattern]: backOffice });
  const found = known.find(([pattern]) => matchPath(pattern, path) !== null);
  await (found?.[1] ?? notFoundPage).load();
}

/** Never stale, no refetch on focus, no polling, no retries: pages refetch explicitly. */
const queryDefaults = {
  fetcher: async (key: string) => (await import("../api/request.ts")).query()(key),
  revalidateIfStale: false,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  refreshInterval: 0,
  shouldRetryOnError: false,
} as const;

interface AppProps {
  /** Answers already known, by key. */
  known: Record<string, unknown>;
  /** Whether the server rendered this page. */
  preRendered: boolean;
}

/** The public site and the entrance to the back office, inside the browser's or server's router. */
export function App({ known, preRendered }: AppProps) {
  return (
    <SWRConfig value={{ ...queryDefaults, fallback: known }}>
      <PreRendered value={preRendered}>
        <Routes>
          <Route
            element={
              // Suspense boundaries hydrate in slices, so a click need not wait for the whole page.
              <Suspense>
                <SiteLayout />
              </Suspense>
            }
          >
            {Object.entries(sitePages).map(([path, { Page }]) => (
              <Route key={path} path={path} element={<Page />} />
            ))}
            <Route path="*" element={<notFoundPage.Page />} />
          </Route>
          <Route
            path={backOffice.pattern}
            element={
              <Suspense>
                <backOffice.Page />
              </Suspense>
            }
          />
        </Routes>
      </PreRendered>
    </SWRConfig>
  );
}

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
