import type { Identity } from "../../identity/identity-port.ts";

/** Shown while the signed-in user is being determined, or with a retry if that failed. */
export function Finding({ identity }: { identity: Identity }) {
  if (!identity.unreachable) {
    return (
      <div className="page-width py-24 text-center" role="status">
        <span className="spinner text-28" aria-hidden="true" />
        <span className="sr-only">Checking your sign-in</span>
      </div>
    );
  }
  return (
    <div className="page-width max-w-form py-16" role="alert">
      <p className="text-18">We could not check your sign-in: the server did not answer.</p>
      <button type="button" className="button button-primary mt-6" onClick={identity.retry}>
        Try again
      </button>
    </div>
  );
}
