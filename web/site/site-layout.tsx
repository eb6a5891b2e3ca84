import {
  Component,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import { Link, NavLink, Outlet, useLocation } from "react-router-dom";
import type { SiteConfig } from "../../contract/site/site.ts";
import { contactLines, registrationLines } from "../../domain/settings/company.ts";
import { pages } from "../paths.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { ToastOutlet } from "../ui/toasts/toast-outlet.tsx";
import { useConfig, useTradingName } from "./config.ts";
import { SiteFooter, siteLinks, Wordmark } from "./site-footer.tsx";

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
      {/* biome-ignore lint/a11y/useValidAnchor: it is a link where the app does not run. */}
      <a
        href="#main"
        onClick={focusMain}
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

/** In place of the fragment, which would add a history entry: in the wizard, entries say which step to show. */
function focusMain(event: MouseEvent): void {
  const main = document.getElementById("main");
  if (!main) return;
  event.preventDefault();
  main.tabIndex = -1;
  main.focus();
  main.scrollIntoView();
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

const links = siteLinks.filter(({ to }) => to !== pages.howItWorks);

const menuControl = "link flex min-h-10 cursor-pointer items-center font-[500] sm:px-1 max-[21rem]:text-14";

/**
 * Logo, the five links with the current one marked, and the two buttons; on a phone the links fold into a menu, which
 * opens without script.
 */
function SiteHeader() {
  return (
    <header className="no-print relative border-b border-hairline">
      <div className="page-width flex flex-wrap items-center gap-x-2 py-3 max-[21rem]:px-3 sm:gap-x-4 lg:gap-x-6">
        <Logo />
        <nav aria-label="Main" className="hidden lg:block">
          <ul className="flex items-center gap-6">
            {links.map((link) => (
              <li key={link.to}>
                <PageLink {...link} />
              </li>
            ))}
          </ul>
        </nav>
        <HeaderButtons />
        <button type="button" popoverTarget="menu" className={`${menuControl} lg:hidden`}>
          Menu
        </button>
        <nav
          id="menu"
          popover="auto"
          aria-label="Menu"
          className="fixed inset-x-0 top-0 bottom-auto m-0 h-auto w-full max-w-none border-0 border-b border-hairline bg-paper p-0 text-ink shadow-float lg:hidden"
        >
          <div className="page-width flex justify-end py-3 max-[21rem]:px-3">
            <button type="button" popoverTarget="menu" popoverTargetAction="hide" className={menuControl}>
              Close
            </button>
          </div>
          <ul className="page-width divide-y divide-hairline border-t border-hairline py-2">
            {links.map((link) => (
              <li key={link.to} className="py-1">
                <PageLink {...link} />
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </header>
  );
}

function Logo() {
  const name = useTradingName();
  return (
    <Link to={pages.home} className="mr-auto inline-flex min-h-10 items-center" aria-label={`${name}, home`}>
      <Wordmark name={name} />
    </Link>
  );
}

function HeaderButtons() {
  return (
    <div className="flex items-center gap-3">
      <Link to={pages.lookup} className="button button-small button-outlined max-lg:hidden">
        Order Lookup
      </Link>
      <Link to={pages.order} className="button button-small button-primary whitespace-nowrap max-sm:px-2.5">
        Get Started
      </Link>
    </div>
  );
}

function PageLink({ to, words }: { to: string; words: string }) {
  return (
    <NavLink
      to={to}
      className={({ isActive }) =>
        `inline-flex min-h-10 items-center border-b-2 hover:text-primary ${isActive ? "border-primary font-[500] text-primary" : "border-transparent text-ink forced-colors:border-[Canvas]"}`
      }
    >
      {words}
    </NavLink>
  );
}

/** Replaces a page that crashed or failed to load with an explanation; header and footer stay. */
export class PageBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return <>{this.props.children}</>;
    return navigator.onLine ? (
      <ServerFault onRetry={() => this.setState({ broken: false })} />
    ) : (
      <NoConnection />
    );
  }
}

/** For a page that failed to load because the connection was lost. */
function NoConnection() {
  return (
    <div className="page-width py-16">
      <PageHeading title="No connection">No connection</PageHeading>
      <p className="mt-4 max-w-measure text-18 text-muted">
        This page could not be loaded because your connection was lost. If you have started an order, it is
        kept in this tab.
      </p>
      <button type="button" className="button button-primary mt-8" onClick={() => location.reload()}>
        Refresh Page
      </button>
    </div>
  );
}

/** 'Server Error', its sentence, and the ways on. `onRetry` shows the page again, with the draft that the tab keeps. */
export function ServerFault({ onRetry }: { onRetry?: () => void }) {
  return (
    <div className="page-width py-16">
      <PageHeading title="Server Error">Server Error</PageHeading>
      <p className="mt-4 max-w-measure text-18 text-muted">
        Something went wrong on our end. We're working to fix the issue. Please try again later.
      </p>
      <div className="mt-8 flex flex-wrap gap-4">
        <a className="button button-primary" href={pages.home}>
          Return to Homepage
        </a>
        <button type="button" className="button button-outlined" onClick={() => location.reload()}>
          Refresh Page
        </button>
        {onRetry && (
          <button type="button" className="button button-outlined" onClick={onRetry}>
            Try Again
          </button>
        )}
      </div>
    </div>
  );
}
