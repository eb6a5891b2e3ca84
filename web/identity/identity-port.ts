import type { ComponentType } from "react";
import type { StaffRole } from "../../domain/settings/vocabulary.ts";

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

/** The signed-in user, as confirmed by the server, and the ways to sign out. */
export interface Identity {
  readonly state: "loading" | "signedOut" | "signedIn";
  /** The provider's opaque id; null unless signed in. */
  readonly userId: string | null;
  readonly name: string | null;
  /** Null for a customer, and when signed out. */
  readonly role: StaffRole | null;
  /** True if provider or server did not answer; the state is then still "loading". */
  readonly unreachable: boolean;
  /** Retries after that. */
  readonly retry: () => void;
  /** Ends the session of this browser. @throws when it may still be open */
  readonly signOut: () => Promise<void>;
  /** Ends every session of this person, in every browser, at once. @throws when some may still be open */
  readonly signOutEverywhere: () => Promise<void>;
}
