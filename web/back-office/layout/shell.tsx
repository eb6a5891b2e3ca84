import { Suspense } from "react";
import { Outlet, useLocation } from "react-router-dom";
import { PageBoundary } from "../../site/page-boundary.tsx";
import { SandboxBanner } from "../../site/sandbox-banner.tsx";
import { ToastOutlet } from "../../ui/toasts/toast-outlet.tsx";
import { Skeleton } from "../ui/placeholders.tsx";
import { useUpdates } from "../use-updates.ts";
import { Rail } from "./rail.tsx";

export function Shell() {
  const { pathname } = useLocation();
  // Keeps the stream open on every page: it ends with the session, and then the gate closes.
  useUpdates([], () => undefined);
  return (
    <div className="back-office">
      <a
        href="#main"
        className="button button-primary absolute top-2 left-2 z-20 -translate-y-20 focus-visible:translate-y-0"
      >
        Skip to main content
      </a>
      <div className="flex-1 lg:flex">
        <Rail />
        <div className="min-w-0 flex-1">
          <SandboxBanner />
          <main id="main" className="px-4 pb-16 md:px-7">
            <PageBoundary key={pathname}>
              <Suspense fallback={<PageLoading />}>
                <Outlet />
              </Suspense>
            </PageBoundary>
          </main>
        </div>
      </div>
      <ToastOutlet />
    </div>
  );
}

function PageLoading() {
  return (
    <div className="pt-5">
      <Skeleton lines={6} label="Loading the page" />
    </div>
  );
}
