import { useEffect, useSyncExternalStore } from "react";
import { type Me, showMe, signOutEverywhere, signOutHere } from "../../contract/identity/me.ts";
import { ApiError } from "../api/problem.ts";
import { carrySessionTokens, hintNames } from "../api/request.ts";
import { send } from "../api/send.ts";
import { configInPage, getConfig } from "../site/config.ts";
import type { Identity, IdentityPort } from "./identity-port.ts";

/** Records that a sign-in happened here. A shortcut for /sign-in, and no proof: it can be forged. */
const markerKey = "clerk-authenticated";

export const isMarkedSignedIn = (): boolean => localStorage.getItem(markerKey) !== null;

export const markSignedIn = (): void => localStorage.setItem(markerKey, "true");

/** Stores the user's id as the hint sent with every request. */
const rememberUserId = (userId: string): void => localStorage.setItem(hintNames.storageKey, userId);

/** Clears user id and marker together: with the marker left, /sign-in would lead straight back. */
export function forgetSignIn(): void {
  localStorage.removeItem(markerKey);
  localStorage.removeItem(hintNames.storageKey);
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store's own interface is missing in Safari and Firefox.
  document.cookie = `${hintNames.cookie}=; max-age=0; path=/; SameSite=Lax`;
}

/** Prefix of the tab's storage keys for a signed-in user's unsent input. */
export const typedWork = "typed-work:";

/** Deletes all of it: the next user of this tab may be another person. */
function forgetTypedWork(): void {
  const names = Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? "");
  for (const name of names) if (name.startsWith(typedWork)) sessionStorage.removeItem(name);
}

/**
 * Loads the configured identity provider only.
 * @throws if loading fails
 */
async function loadIdentity(): Promise<IdentityPort> {
  const { clerkPublishableKey } = configInPage() ?? (await getConfig());
  if (clerkPublishableKey !== null) {
    const { loadClerk } = await import("./clerk/load-clerk.tsx");
    return loadClerk(clerkPublishableKey);
  }
  const { sandboxIdentity } = await import("./sandbox-identity.tsx");
  return sandboxIdentity;
}

type Known = Pick<Identity, "state" | "userId" | "name" | "role" | "unreachable">;

const anonymous = { userId: null, name: null, role: null, unreachable: false } as const;
const asking: Known = { ...anonymous, state: "loading" };
const signedOut: Known = { ...anonymous, state: "signedOut" };

/** The store's dependencies, passed in for tests of lost connections and ended sessions. */
interface IdentityStoreParts {
  readonly load: () => Promise<IdentityPort>;
  readonly getMe: () => Promise<Me>;
  /** Ends this session, or every session of this person, on the server. */
  readonly endHere: () => Promise<void>;
  readonly endEverywhere: () => Promise<void>;
  /** Adds tokens to every request from now on. */
  readonly carry: typeof carrySessionTokens;
  readonly remember: (userId: string) => void;
  readonly forget: () => void;
  /** Deletes unsent input. Not called when a session merely expires. */
  readonly forgetWork: () => void;
}

/** Holds the signed-in user for all pages. */
export function createIdentityStore(parts: IdentityStoreParts) {
  let known: Known = asking;
  let loading: Promise<IdentityPort> | undefined;
  /** The request in progress; answers to older ones are ignored. */
  let question: object | undefined;
  const listeners = new Set<() => void>();

  function become(next: Known): void {
    known = next;
    for (const listener of listeners) listener();
  }

  function becomeSignedOut(): void {
    parts.forget();
    become(signedOut);
  }

  function load(): Promise<IdentityPort> {
    loading ??= parts.load().then((port) => {
      parts.carry({ token: port.token, refused: () => void afterRefusal(port) });
      port.onSignIn(() => afterSignIn(port));
      return port;
    });
    // A failed load can be retried.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  }

  /** The user, null if signed out, or undefined without an answer. */
  async function answer(): Promise<Me | null | undefined> {
    try {
      const port = await load();
      return (await port.token()) === null ? null : await parts.getMe();
    } catch (failure) {
      return failure instanceof ApiError && failure.status === 401 ? null : undefined;
    }
  }

  async function ask(): Promise<void> {
    const own = {};
    question = own;
    const me = await answer();
    if (question !== own) return;
    question = undefined;
    if (me === null) return becomeSignedOut();
    if (me === undefined) return become({ ...asking, unreachable: true });
    parts.remember(me.userId);
    become({ state: "signedIn", userId: me.userId, name: me.name, role: me.role, unreachable: false });
  }

  /** The session may have ended elsewhere. A refusal of this request itself causes no further one. */
  async function afterRefusal(port: IdentityPort): Promise<void> {
    if (question) return;
    port.forgetToken();
    await ask();
  }

  /** Clears the previous user: kept for a moment longer, the old answer would turn a manager away. */
  function afterSignIn(port: IdentityPort): void {
    port.forgetToken();
    become(asking);
    void ask();
  }

  async function leave(tellServer: () => Promise<void>): Promise<void> {
    const port = await load();
    await tellServer();
    port.forgetToken();
    await port.endSession();
    parts.forgetWork();
    becomeSignedOut();
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: (): Known => known,
    /** Requests the signed-in user once. */
    begin(): void {
      if (known === asking && !question) void ask();
    },
    check(): void {
      become(asking);
      void ask();
    },
    /** The provider, for its own pages. @throws when it cannot be loaded */
    provider: load,
    signOut: () => leave(parts.endHere),
    signOutEverywhere: () => leave(parts.endEverywhere),
  };
}

/** Who is signed in on this page. */
export const identityStore = createIdentityStore({
  load: loadIdentity,
  getMe: () => send(showMe),
  endHere: () => send(signOutHere),
  endEverywhere: () => send(signOutEverywhere),
  carry: carrySessionTokens,
  remember: rememberUserId,
  forget: forgetSignIn,
  forgetWork: forgetTypedWork,
});

/** The signed-in user, requested once per page load and shared by all pages. */
export function useIdentity(): Identity {
  const known = useSyncExternalStore(identityStore.subscribe, identityStore.current);
  useEffect(() => identityStore.begin(), []);
  return {
    ...known,
    retry: identityStore.check,
    signOut: identityStore.signOut,
    signOutEverywhere: identityStore.signOutEverywhere,
  };
}
