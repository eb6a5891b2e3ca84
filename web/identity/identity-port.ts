import type { ComponentType } from "react";

/** Props of a provider's sign-in and sign-up pages. */
export interface ProviderPageProps {
  /** Destination after signing in: a path of ours. */
  readonly afterwards: string;
}

/** An identity provider in the browser. Each is loaded only where it is the configured one. */
export interface IdentityPort {
  /** A session token valid for at least some seconds; null if signed out. @throws when the provider does not answer */
  readonly token: () => Promise<string | null>;
  /** Discards a token that the server refused. */
  readonly forgetToken: () => void;
  /** Ends the provider's session in this browser. @throws when it may still be open */
  readonly endSession: () => Promise<void>;
  /** Subscribes to sign-ins on the provider's pages. @returns a function to unsubscribe */
  readonly onSignIn: (listener: () => void) => () => void;
  readonly SignIn: ComponentType<ProviderPageProps>;
  readonly SignUp: ComponentType<ProviderPageProps>;
}
