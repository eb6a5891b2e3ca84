import { lazy } from "react";
import { BrowserRouter, Route, Routes } from "react-router-dom";
import { SWRConfig } from "swr";
import { query } from "./api/request.ts";
import { HomePage } from "./features/home/home-page.tsx";
import { SiteLayout } from "./layout/site-layout.tsx";
import { pages } from "./paths.ts";

const OrderPage = lazy(() => import("./features/order/order-page.tsx"));
const ConfirmationPage = lazy(() => import("./features/confirmation/confirmation-page.tsx"));
const LookupPage = lazy(() => import("./features/lookup/lookup-page.tsx"));
const ServicesPage = lazy(() => import("./features/information/services-page.tsx"));
const PricingPage = lazy(() => import("./features/information/pricing-page.tsx"));
const HowItWorksPage = lazy(() => import("./features/information/how-it-works-page.tsx"));
const SupportPage = lazy(() => import("./features/information/support-page.tsx"));
const AboutPage = lazy(() => import("./features/information/about-page.tsx"));
const TermsPage = lazy(() => import("./features/information/terms-page.tsx"));
const PrivacyPage = lazy(() => import("./features/information/privacy-page.tsx"));
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

/** The public site. `known` holds answers that were fetched before the first paint, by address. */
export function App({ known }: { known: Record<string, unknown> }) {
  return (
    <SWRConfig value={{ ...queryDefaults, fallback: known }}>
      <BrowserRouter>
        <Routes>
          <Route element={<SiteLayout />}>
            <Route path={pages.home} element={<HomePage />} />
            <Route path={pages.order} element={<OrderPage />} />
            <Route path={pages.orderConfirmation} element={<ConfirmationPage />} />
            <Route path={pages.lookup} element={<LookupPage />} />
            <Route path={pages.services} element={<ServicesPage />} />
            <Route path={pages.pricing} element={<PricingPage />} />
            <Route path={pages.howItWorks} element={<HowItWorksPage />} />
            <Route path={pages.support} element={<SupportPage />} />
            <Route path={pages.about} element={<AboutPage />} />
            <Route path={pages.terms} element={<TermsPage />} />
            <Route path={pages.privacy} element={<PrivacyPage />} />
            <Route path={pages.error} element={<ServerErrorPage />} />
            <Route path="*" element={<NotFoundPage />} />
          </Route>
        </Routes>
      </BrowserRouter>
    </SWRConfig>
  );
}
