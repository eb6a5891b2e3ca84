import { Suspense, useEffect, useState } from "react";
import { NavLink, Outlet, useLocation } from "react-router-dom";
import { showDashboard } from "../../../contract/back-office/overview.ts";
import { maySend } from "../../../contract/request.ts";
import { useIdentity } from "../../identity/page-identity.ts";
import { pages } from "../../paths.ts";
import { useSubmittedByHand, useTradingName } from "../../site/config.ts";
import { Wordmark } from "../../site/site-footer.tsx";
import { PageBoundary, SandboxBanner } from "../../site/site-layout.tsx";
import { BusyButton } from "../../ui/busy-button.tsx";
import { ToastOutlet } from "../../ui/toasts/toast-outlet.tsx";
import { staffPages } from "../pages.ts";
import { ActionDialog } from "../ui/action-dialog.tsx";
import { Announcements } from "../ui/announcements.tsx";
import { Skeleton } from "../ui/page-parts.tsx";
import { useCalmUpdates, useUpdates } from "../use-updates.ts";
import { keepFocus } from "./keep-focus.ts";
import { useDashboard, type Waiting, waitingIn } from "./work-queues.ts";

export function Shell() {
  const { pathname } = useLocation();
  // Keeps the stream open on every page: it ends with the session, and then the gate closes.
  useUpdates([], () => undefined);
  useEffect(keepFocus, []);
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
      <Announcements />
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

/** Navigation, current user and sign-out. On narrow screens it folds into a menu. */
function Rail() {
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes because the page changed.
  useEffect(() => setOpen(false), [pathname]);
  return (
    <header className="border-hairline bg-paper max-lg:border-b lg:sticky lg:top-0 lg:flex lg:h-dvh lg:w-49 lg:flex-none lg:flex-col lg:border-r lg:p-3">
      <div className="flex items-center justify-between max-lg:px-4 max-lg:py-2 lg:px-2.5 lg:pt-1 lg:pb-4">
        <SiteName />
        <button
          type="button"
          className="button button-dense button-outlined lg:hidden"
          aria-expanded={open}
          aria-controls="rail"
          onClick={() => setOpen(!open)}
        >
          {open ? "Close" : "Menu"}
        </button>
      </div>
      <div
        id="rail"
        className={`flex-1 flex-col overflow-y-auto max-lg:px-3 max-lg:pb-3 lg:flex ${open ? "flex" : "hidden"}`}
      >
        <Places />
        <SignedInAs />
      </div>
    </header>
  );
}

/** A full page load: the public site does not share the back office's session. */
function SiteName() {
  const name = useTradingName();
  return (
    <a href={pages.home} aria-label={`${name}, public site`} className="inline-flex min-h-8 items-center">
      <Wordmark name={name} />
    </a>
  );
}

function Places() {
  const { role } = useIdentity();
  const counts = useWaiting(maySend(role, showDashboard));
  return (
    <nav aria-label="Back office">
      <ul className="flex flex-col gap-0.5">
        {staffPages
          .filter(({ request }) => maySend(role, request))
          .map(({ path, menu }) => {
            if (!menu) return null;
            const { words, Icon, waiting } = menu;
            return (
              <li key={path}>
                <NavLink to={path} className="rail-link">
                  <Icon aria-hidden="true" className="size-4 flex-none" strokeWidth={1.5} />
                  {words}
                  {waiting && counts && <Count {...counts[waiting]} />}
                </NavLink>
              </li>
            );
          })}
      </ul>
    </nav>
  );
}

function Count({ count, more, words }: Waiting[keyof Waiting]) {
  if (count === 0) return null;
  return (
    <span className="figures ml-auto text-13 text-muted">
      {count.toLocaleString("en-GB")}
      {more && "+"}
      <span className="sr-only"> {words}</span>
    </span>
  );
}

/** Current user with both kinds of sign-out. The gate shows the sign-in page afterwards. */
function SignedInAs() {
  const identity = useIdentity();
  return (
    <div className="mt-auto border-t border-hairline px-2.5 pt-3 text-13 max-lg:mt-3 lg:border-t-0">
      <p className="leading-snug wrap-anywhere">
        <span className="sr-only">Signed in as </span>
        {identity.name}
        <span className="sr-only">, </span>
        <span className="block text-muted">{identity.role}</span>
      </p>
      <div className="mt-1 flex flex-col items-start">
        <Leave leave={identity.signOut} />
        <LeaveEverywhere leave={identity.signOutEverywhere} />
      </div>
    </div>
  );
}

function Leave({ leave }: { leave: () => Promise<void> }) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const press = async (): Promise<void> => {
    setState("busy");
    try {
      await leave();
    } catch {
      setState("failed");
    }
  };
  return (
    <>
      <BusyButton
        type="button"
        className="link inline-flex min-h-7 cursor-pointer items-center"
        busy={state === "busy"}
        onClick={() => void press()}
      >
        Sign out
      </BusyButton>
      {state === "failed" && (
        <span role="alert" className="text-danger">
          Sign-out failed. You are still signed in.
        </span>
      )}
    </>
  );
}

/** Affects other devices, so it asks for confirmation. */
function LeaveEverywhere({ leave }: { leave: () => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        className="link inline-flex min-h-7 cursor-pointer items-center"
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        Sign out everywhere…
      </button>
      <ActionDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Sign out everywhere?"
        whatHappens="You will be signed out at once on every browser and device, including this one. Anything you have typed but not sent will be lost. You can sign in again straight away."
        confirmLabel="Sign out everywhere"
        reasons={null}
        withNote={false}
        onConfirm={leave}
      />
    </>
  );
}

const refreshEveryMs = 5_000;

/** Live counts of pending work; undefined while loading and for roles without the dashboard. */
function useWaiting(isForMe: boolean): Waiting | undefined {
  const byHand = useSubmittedByHand();
  const { data, mutate } = useDashboard(isForMe ? 30 : null);
  useCalmUpdates(["orders", "tickets"], () => void mutate(), refreshEveryMs);
  return data && waitingIn(data, byHand);
}
