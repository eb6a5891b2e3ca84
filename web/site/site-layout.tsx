import { Suspense, useEffect, useLayoutEffect, useRef } from "react";
import { Outlet, useLocation } from "react-router-dom";
import type { SiteConfig } from "../../contract/site/site.ts";
import { contactLines, registrationLines } from "../../domain/settings/company.ts";
import { ToastOutlet } from "../ui/toasts/toast-outlet.tsx";
import { useConfig, useTradingName } from "./config.ts";
import { PageBoundary } from "./page-boundary.tsx";
import { SiteFooter, Wordmark } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";

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

/**
 * Says on every page what here is not real, while any part of the installation is a stand-in or in its provider's test
 * world.
 */
export function SandboxBanner() {
  const { data: config } = useConfig();
  if (!config?.sandbox) return null;
  return (
    <aside
      aria-label="Sandbox"
      data-sandbox-banner
      className="border-b border-transparent bg-pending-ground px-5 py-1.5 text-center text-14 text-pending"
    >
      {sentence(config.modes)}
    </aside>
  );
}

function sentence({ payments, identity, submission, mail }: SiteConfig["modes"]): string {
  const parts = [
    submission === "sandbox" || submission === "test"
      ? "nothing here is sent to the General Register Office"
      : "",
    payments !== "live" ? "no card is charged" : "",
  ].filter(Boolean);
  const isSandbox = [payments, identity, submission, mail].includes("sandbox");
  const what = isSandbox ? "Sandbox" : "Test";
  return parts.length > 0
    ? `${what}: ${parts.join(", and ")}.`
    : `${what}: some parts of this installation are not real.`;
}
