import { Suspense } from "react";
import { Outlet, useLocation } from "react-router-dom";
import { PageBoundary } from "../../layout/page-boundary.tsx";
import { SandboxBanner } from "../../layout/sandbox-banner.tsx";
import { ToastOutlet } from "../../ui/toast-outlet.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Rail } from "./rail.tsx";

/** The rail on the left, the page beside it. */
export function Shell() {
  const { pathname } = useLocation();
  return (
    <div className="back-office">
      <a
        href="#main"
        className="button button-primary absolute top-2 left-2 z-20 -translate-y-20 focus-visible:translate-y-0"
      >
        Skip to main content
      </a>
      <SandboxBanner />
      <div className="flex-1 lg:flex">
        <Rail />
        <main id="main" className="min-w-0 flex-1 px-4 pb-16 md:px-7">
          <PageBoundary key={pathname}>
            <Suspense fallback={<PageLoading />}>
              <Outlet />
            </Suspense>
          </PageBoundary>
        </main>
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
