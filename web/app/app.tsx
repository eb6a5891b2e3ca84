import { Suspense } from "react";
import { Route, Routes } from "react-router-dom";
import { SWRConfig } from "swr";
import { HomePage } from "../features/home/home-page.tsx";
import { pages } from "../paths.ts";
import { PreRendered } from "../rendering/pre-rendered.ts";
import { SiteLayout } from "../site/site-layout.tsx";
import { backOffice, notFoundPage, publicPages, scriptPages } from "./public-pages.ts";

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
            <Route path={pages.home} element={<HomePage />} />
            {Object.entries({ ...publicPages, ...scriptPages }).map(([path, { Page }]) => (
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
