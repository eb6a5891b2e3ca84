import { useEffect, useRef, useState } from "react";
import { Link, NavLink, useLocation } from "react-router-dom";
import { pages } from "../paths.ts";
import { useInBrowser } from "../rendering/pre-rendered.ts";
import { useTradingName } from "./config.ts";
import { siteLinks, Wordmark } from "./site-footer.tsx";

const menuId = "mobile-menu";

const links = siteLinks.filter(({ to }) => to !== pages.howItWorks);

/** Logo, the five links with the current one marked, and the two buttons; on a phone the links fold into a menu. */
export function SiteHeader() {
  const { pathname } = useLocation();
  const inBrowser = useInBrowser();
  const menu = useMenu(pathname);
  return (
    <header className="no-print border-b border-hairline">
      <div className="page-width flex flex-wrap items-center gap-x-2 py-3 max-[20rem]:px-3 sm:gap-x-4 lg:gap-x-6">
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
        <button
          ref={menu.button}
          type="button"
          className="link min-h-10 cursor-pointer font-[500] sm:px-1 lg:hidden"
          disabled={!inBrowser}
          aria-expanded={menu.open}
          aria-controls={menuId}
          onClick={menu.toggle}
        >
          {menu.open ? "Close" : "Menu"}
        </button>
      </div>
      <nav id={menuId} aria-label="Menu" hidden={!menu.open} className="border-t border-hairline lg:hidden">
        <ul className="page-width divide-y divide-hairline py-2">
          {links.map((link) => (
            <li key={link.to} className="py-1">
              <PageLink {...link} onPick={menu.close} />
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

/** The phone's menu closes with Escape, when the focus goes elsewhere, and when the page changes. */
function useMenu(pathname: string) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => setOpen(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes because the page changed.
  useEffect(() => setOpen(false), [pathname]);
  useEffect(() => {
    if (!open) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const closeByKey = ({ key }: KeyboardEvent): void => {
      if (key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    const follow = ({ target }: FocusEvent): void => {
      const isHere = target instanceof Element && target.closest(`#${menuId}, [aria-controls=${menuId}]`);
      if (!isHere) setOpen(false);
    };
    document.addEventListener("keydown", closeByKey, { signal });
    document.addEventListener("focusin", follow, { signal });
    return () => leaving.abort();
  }, [open]);
  return { open, button, close, toggle: () => setOpen(!open) };
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

function PageLink({ to, words, onPick }: { to: string; words: string; onPick?: () => void }) {
  return (
    <NavLink
      to={to}
      {...(onPick ? { onClick: onPick } : {})}
      className={({ isActive }) =>
        `inline-flex min-h-10 items-center border-b-2 hover:text-primary ${isActive ? "border-primary font-[500] text-primary" : "border-transparent text-ink forced-colors:border-[Canvas]"}`
      }
    >
      {words}
    </NavLink>
  );
}
