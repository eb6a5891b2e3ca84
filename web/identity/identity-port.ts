import type { ComponentType } from "react";

/** What the sign-in and sign-up pages of a provider are told. */
export interface ProviderPageProps {
  /** Where the browser goes once somebody is signed in: a path of ours. */
  readonly afterwards: string;
}

/** An identity provider in the browser. Each is loaded only where it is the configured one. */
export interface IdentityPort {
  /** A session token with some seconds left; null when nobody is signed in. @throws when the provider does not answer */
  readonly token: () => Promise<string | null>;
  /** Forgets a token that the server refused, so that the next one is new. */
  readonly forgetToken: () => void;
  /** Ends the provider's session in this browser. @throws when it may still be open */
  readonly endSession: () => Promise<void>;
  /** Told when somebody signs in on one of the provider's pages. Answers how to stop. */
  readonly onSignIn: (listener: () => void) => () => void;
  readonly SignIn: ComponentType<ProviderPageProps>;
  readonly SignUp: ComponentType<ProviderPageProps>;
}
