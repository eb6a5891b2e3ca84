import type { StaffRole } from "../../domain/settings/vocabulary.ts";

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
