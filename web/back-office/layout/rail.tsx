import { ClipboardCheck, FileText, Gauge, Inbox, type LucideIcon, Settings, Users } from "lucide-react";
import { useEffect, useState } from "react";
import { NavLink, useLocation } from "react-router-dom";
import { useTradingName } from "../../api/get-config.ts";
import type { Role } from "../../api/get-me.ts";
import { useIdentity } from "../../identity/identity.ts";
import type { Identity } from "../../identity/identity-state.ts";
import { Wordmark } from "../../layout/wordmark.tsx";
import { pages } from "../../paths.ts";
import { adminPages } from "../paths.ts";

interface RailPlace {
  readonly to: string;
  readonly words: string;
  readonly Icon: LucideIcon;
  readonly roles: readonly Role[];
}

const places: readonly RailPlace[] = [
  { to: adminPages.dashboard, words: "Dashboard", Icon: Gauge, roles: ["staff", "manager"] },
  { to: adminPages.orders, words: "Orders", Icon: FileText, roles: ["staff", "manager", "compliance"] },
  { to: adminPages.tickets, words: "Tickets", Icon: Inbox, roles: ["staff", "manager"] },
  { to: adminPages.customers, words: "Customers", Icon: Users, roles: ["staff", "manager"] },
  {
    to: adminPages.compliance,
    words: "Compliance",
    Icon: ClipboardCheck,
    roles: ["compliance", "manager"],
  },
  { to: adminPages.settings, words: "Settings", Icon: Settings, roles: ["manager"] },
];

/** Where one can go, who is signed in, and the way out. On narrow screens it folds into a menu. */
export function Rail() {
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

/** Leads out by a whole new page: the public site knows nothing of who is signed in here. */
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
  return (
    <nav aria-label="Back office">
      <ul className="flex flex-col gap-0.5">
        {places
          .filter(({ roles }) => role !== null && roles.includes(role))
          .map(({ to, words, Icon }) => (
            <li key={to}>
              <NavLink to={to} className="rail-link">
                <Icon aria-hidden="true" className="size-4 flex-none" strokeWidth={1.5} />
                {words}
              </NavLink>
            </li>
          ))}
      </ul>
    </nav>
  );
}

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
        <Leave words="Sign out" leave={identity.signOut} />
        <Leave words="Sign out everywhere" leave={identity.signOutEverywhere} />
      </div>
    </div>
  );
}

/** One way out. The gate shows the sign-in as soon as it is done. */
function Leave({ words, leave }: { words: string; leave: Identity["signOut"] }) {
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
      <button
        type="button"
        className="link inline-flex min-h-7 cursor-pointer items-center"
        disabled={state === "busy"}
        onClick={() => void press()}
      >
        {words}
      </button>
      {state === "failed" && (
        <span role="alert" className="text-danger">
          That did not work: you are still signed in.
        </span>
      )}
    </>
  );
}
