import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { useIdentity } from "../../identity/identity.ts";
import { pages } from "../../paths.ts";

/**
 * Lets people who work here in: a spinner while it is not known who is there, to the sign-in when nobody is, to Access Denied when
 * they do not work here. It only mirrors: the server decides on every request.
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
        <span className="sr-only">Checking who is signed in</span>
      </div>
    </main>
  );
}

function Unreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div role="alert" className="max-w-[44ch] text-center">
        <h1>We cannot tell who is signed in</h1>
        <p className="mt-2 text-muted">The server did not answer. You are not signed out by that.</p>
        <button type="button" className="button button-dense button-primary mt-5" onClick={onRetry}>
          Try again
        </button>
      </div>
    </main>
  );
}
