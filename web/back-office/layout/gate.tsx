import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { useIdentity } from "../../identity/identity.ts";
import { pages } from "../../paths.ts";

/**
 * Admits staff: shows a spinner while the session loads, and redirects to sign-in or Access Denied. A convenience only:
 * the server checks every request.
 */
export function Gate({ children }: { children: ReactNode }) {
  const { state, role, unreachable, retry } = useIdentity();
  const { pathname, search } = useLocation();
  if (unreachable) return <Unreachable onRetry={retry} />;
  if (state === "loading") return <Checking />;
  if (state === "signedOut") {
    return (
      <Navigate replace to={`${pages.adminLogin}?${new URLSearchParams({ redirect: pathname + search })}`} />
    );
  }
  return role === null ? <Navigate replace to={pages.unauthorized} /> : children;
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
