import { lazy, Suspense } from "react";
import { Route, Routes } from "react-router-dom";
import { SWRConfig } from "swr";
import { query } from "./api/request.ts";
import { HomePage } from "./features/home/home-page.tsx";
import { SiteLayout } from "./layout/site-layout.tsx";
import { pages } from "./paths.ts";
import { PreRendered } from "./pre-rendered.ts";
import { notFoundPage, publicPages } from "./public-pages.ts";

const OrderPage = lazy(() => import("./features/order/order-page.tsx"));
const ConfirmationPage = lazy(() => import("./features/confirmation/confirmation-page.tsx"));
const LookupPage = lazy(() => import("./features/lookup/lookup-page.tsx"));
const ConversationPage = lazy(() => import("./features/support/conversation-page.tsx"));
const ServerErrorPage = lazy(() => import("./features/utility/server-error-page.tsx"));
const SignInArea = lazy(() => import("./features/sign-in/sign-in-area.tsx"));
const BackOffice = lazy(() => import("./back-office/back-office.tsx"));

/** Where people sign in and out; one script for all of them. */
const signInPaths = [
  pages.signIn,
  pages.signUp,
  pages.unauthorized,
  pages.signedIn,
  `${pages.adminLogin}/*`,
  pages.accessAdmin,
  pages.dashboard,
];

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

/** The public site and the door to the back office, inside the router of the browser or of the server. */
export function App({ known, preRendered }: AppProps) {
  return (
    <SWRConfig value={{ ...queryDefaults, fallback: known }}>
      <PreRendered value={preRendered}>
        <Routes>
          <Route
            element={
              // What lies in a boundary is taken over in slices, so that nothing pressed meanwhile waits for all of it.
              <Suspense>
                <SiteLayout />
              </Suspense>
            }
          >
            <Route path={pages.home} element={<HomePage />} />
            <Route path={pages.order} element={<OrderPage />} />
            <Route path={pages.orderConfirmation} element={<ConfirmationPage />} />
            <Route path={pages.lookup} element={<LookupPage />} />
            {Object.entries(publicPages).map(([path, { Page }]) => (
              <Route key={path} path={path} element={<Page />} />
            ))}
            <Route path={pages.conversation} element={<ConversationPage />} />
            <Route path={pages.error} element={<ServerErrorPage />} />
            {signInPaths.map((path) => (
              <Route key={path} path={path} element={<SignInArea />} />
            ))}
            <Route path="*" element={<notFoundPage.Page />} />
          </Route>
          <Route
            path={`${pages.accessAdmin}/*`}
            element={
              <Suspense>
                <BackOffice />
              </Suspense>
            }
          />
        </Routes>
      </PreRendered>
    </SWRConfig>
  );
}
