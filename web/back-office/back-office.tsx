import "./back-office.css";
import type { ReactNode } from "react";
import { Link, Navigate, Route, Routes, useLocation } from "react-router-dom";
import { maySend } from "../../contract/request.ts";
import { useIdentity } from "../identity/page-identity.ts";
import { pages } from "../paths.ts";
import { Shell } from "./layout/shell.tsx";
import { type AdminPage, staffPages } from "./pages.ts";
import { adminPages } from "./paths.ts";
import { Empty, PageTop } from "./ui/page-parts.tsx";

/** Everything below /accessadmin, behind the gate, with a route for each page. */
export default function BackOffice() {
  return (
    <Gate>
      <Routes>
        <Route element={<Shell />}>
          {staffPages.map(({ path, Page, ...page }) => (
            <Route
              key={path}
              path={path.slice(`${adminPages.home}/`.length)}
              element={
                <OnlyFor {...page}>
                  <Page />
                </OnlyFor>
              }
            />
          ))}
          <Route path="*" element={<NoSuchPage />} />
        </Route>
      </Routes>
    </Gate>
  );
}

function NoSuchPage() {
  return (
    <>
      <PageTop title="Page Not Found" />
      <Empty title="There is no page at this web address.">
        Check the web address, or go to{" "}
        <Link className="link" to={adminPages.orders}>
          Orders
        </Link>
        .
      </Empty>
    </>
  );
}

type OnlyForProps = Pick<AdminPage, "request" | "otherwise"> & { readonly children: ReactNode };

/** Shows a page to the roles that may send its main request. */
function OnlyFor({ request, otherwise, children }: OnlyForProps) {
  const { role } = useIdentity();
  if (maySend(role, request)) return <>{children}</>;
  if (otherwise !== undefined) return <Navigate replace to={otherwise} />;
  return (
    <>
      <PageTop title="No access" />
      <Empty title="Your role does not have access to this page.">
        Roles with access: {request.from.join(", ")}. A manager can change your role under Settings.
      </Empty>
    </>
  );
}

/**
 * Admits staff: shows a spinner while the session loads, and redirects to sign-in or Access Denied. A convenience only:
 * the server checks every request.
 */
function Gate({ children }: { children: ReactNode }) {
  const { state, role, unreachable, retry } = useIdentity();
  const { pathname, search } = useLocation();
  if (unreachable) return <Unreachable onRetry={retry} />;
  if (state === "loading") return <Checking />;
  if (state === "signedOut") {
    return (
      <Navigate replace to={`${pages.adminLogin}?${new URLSearchParams({ redirect: pathname + search })}`} />
    );
  }
  if (role === null) return <Navigate replace to={pages.unauthorized} />;
  return <>{children}</>;
}

function Checking() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <h1 className="sr-only">Back office</h1>
      <div role="status">
        <span className="spinner text-28" aria-hidden="true" />
        <span className="sr-only">Checking your sign-in</span>
      </div>
    </main>
  );
}

function Unreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div role="alert" className="max-w-[44ch] text-center">
        <h1>We could not check your sign-in</h1>
        <p className="mt-2 text-muted">The server did not respond. You have not been signed out.</p>
        <button type="button" className="button button-dense button-primary mt-5" onClick={onRetry}>
          Try again
        </button>
      </div>
    </main>
  );
}
