import { useEffect, useState } from "react";
import type { IdentityPort } from "../../identity/identity-port.ts";
import { identityStore } from "../../identity/identity-store.ts";

interface ProviderPageParameters {
  readonly page: "SignIn" | "SignUp";
  /** Destination after signing in. */
  readonly afterwards: string;
}

/** The identity provider's page, once loaded. Its height is reserved to avoid layout shifts. */
export function ProviderPage(parameters: ProviderPageParameters) {
  return (
    <div className="min-h-[31rem]">
      <LoadedPage {...parameters} />
    </div>
  );
}

function LoadedPage({ page, afterwards }: ProviderPageParameters) {
  const [provider, setProvider] = useState<IdentityPort | "failed">();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads anew.
  useEffect(() => {
    setProvider(undefined);
    identityStore.provider().then(setProvider, () => setProvider("failed"));
  }, [attempt]);
  if (provider === undefined) {
    return (
      <div role="status">
        <span className="spinner text-22" aria-hidden="true" />
        <span className="sr-only">Loading the sign-in</span>
      </div>
    );
  }
  if (provider === "failed") {
    return (
      <div role="alert">
        <p>The sign-in could not be loaded.</p>
        <button type="button" className="button button-outlined mt-4" onClick={() => setAttempt(attempt + 1)}>
          Try again
        </button>
      </div>
    );
  }
  const Page = provider[page];
  return <Page afterwards={afterwards} />;
}
