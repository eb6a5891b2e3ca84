import { lazy } from "react";
import { Route, Routes } from "react-router-dom";
import { SWRConfig } from "swr";
import { query } from "./api/request.ts";
import { HomePage } from "./features/home/home-page.tsx";
import { SiteLayout } from "./layout/site-layout.tsx";
import { pages } from "./paths.ts";
import { PreRendered } from "./pre-rendered.ts";
import { publicPages } from "./public-pages.ts";

const OrderPage = lazy(() => import("./features/order/order-page.tsx"));
const ConfirmationPage = lazy(() => import("./features/confirmation/confirmation-page.tsx"));
const LookupPage = lazy(() => import("./features/lookup/lookup-page.tsx"));
const ConversationPage = lazy(() => import("./features/support/conversation-page.tsx"));
const ServerErrorPage = lazy(() => import("./features/utility/server-error-page.tsx"));
const NotFoundPage = lazy(() => import("./features/utility/not-found-page.tsx"));

/** Never stale, no refetch on focus, no polling, no retries: the page asks when it wants to know. */
const queryDefaults = {
  fetcher: query(),
  revalidateIfStale: false,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  refreshInterval: 0,
  shouldRetryOnError: false,
} as const;

interface AppProps {
  /** Answers that need not be asked for, by address. */
  known: Record<string, unknown>;
  /** True where the server rendered this page. */
  preRendered: boolean;
}

/** The public site, inside the router of the browser or of the server. */
export function App({ known, preRendered }: AppProps) {
  return (
    <SWRConfig value={{ ...queryDefaults, fallback: known }}>
      <PreRendered value={preRendered}>
        <Routes>
          <Route element={<SiteLayout />}>
            <Route path={pages.home} element={<HomePage />} />
            <Route path={pages.order} element={<OrderPage />} />
            <Route path={pages.orderConfirmation} element={<ConfirmationPage />} />
            <Route path={pages.lookup} element={<LookupPage />} />
            {Object.entries(publicPages).map(([path, { Page }]) => (
              <Route key={path} path={path} element={<Page />} />
            ))}
            <Route path={pages.conversation} element={<ConversationPage />} />
            <Route path={pages.error} element={<ServerErrorPage />} />
            <Route path="*" element={<NotFoundPage />} />
          </Route>
        </Routes>
      </PreRendered>
    </SWRConfig>
  );
}
