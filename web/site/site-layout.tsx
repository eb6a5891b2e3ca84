import { Suspense, useEffect, useLayoutEffect, useRef } from "react";
import { Outlet, useLocation } from "react-router-dom";
import { contactLines, registrationLines } from "../../domain/settings/company.ts";
import { ToastOutlet } from "../ui/toasts/toast-outlet.tsx";
import { useConfig, useTradingName } from "./config.ts";
import { PageBoundary } from "./page-boundary.tsx";
import { SandboxBanner } from "./sandbox-banner.tsx";
import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";
import { Wordmark } from "./wordmark.tsx";

/** Banner, header, page, footer; the page is loaded on demand. */
export function SiteLayout() {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useLayoutEffect(() => {
    // Not on the first page of a visit: it may have been scrolled before its script came.
    if (shown.current !== pathname) window.scrollTo(0, 0);
    shown.current = pathname;
  }, [pathname]);
  useEffect(() => {
    // Browsers share the canonical address: it must not stay that of the page one came by.
    document.querySelector("link[rel=canonical]")?.setAttribute("href", `${location.origin}${pathname}`);
  }, [pathname]);
  return (
    <>
      <a
        href="#main"
        className="button button-primary absolute top-2 left-2 z-20 -translate-y-20 focus-visible:translate-y-0"
      >
        Skip to main content
      </a>
      <SandboxBanner />
      <Letterhead />
      <SiteHeader />
      <main id="main" className="min-h-[calc(100dvh-5rem)] flex-1">
        <PageBoundary key={pathname}>
          <Suspense fallback={<PageLoading />}>
            <Outlet />
          </Suspense>
        </PageBoundary>
      </main>
      <SiteFooter />
      <ToastOutlet />
    </>
  );
}

/** Stands above what is printed, where header and footer are left out. */
function Letterhead() {
  const company = useConfig().data;
  return (
    <div className="page-width hidden pt-4 print:block">
      <Wordmark name={useTradingName()} />
      {company && (
        <p className="mt-1 text-14 text-muted">
          {[`${contactLines(company).join(", ")}.`, ...registrationLines(company)].join(" ")}
        </p>
      )}
    </div>
  );
}

function PageLoading() {
  return (
    <div className="page-width flex min-h-[70vh] items-start justify-center pt-24" role="status">
      <span className="spinner" aria-hidden="true" />
      <span className="sr-only">Loading the page</span>
    </div>
  );
}
