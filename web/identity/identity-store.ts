import { getMe, type Me } from "../api/get-me.ts";
import { ApiError } from "../api/problem.ts";
import { carrySessionTokens } from "../api/request.ts";
import { signOutEverywhere, signOutHere } from "../api/sign-out.ts";
import type { IdentityPort } from "./identity-port.ts";
import type { Identity } from "./identity-state.ts";
import { loadIdentity } from "./load-identity.ts";
import { forgetSignIn, rememberUserId } from "./sign-in-marker.ts";

type Known = Pick<Identity, "state" | "userId" | "name" | "role" | "unreachable">;

const nobody = { userId: null, name: null, role: null, unreachable: false } as const;
const asking: Known = { ...nobody, state: "loading" };
const signedOut: Known = { ...nobody, state: "signedOut" };

/** What the store works with. Passed in, so that lost connections and ended sessions can be tried. */
export interface IdentityStoreParts {
  readonly load: () => Promise<IdentityPort>;
  readonly getMe: () => Promise<Me>;
  /** Tells the server that this session, or every session of this person, is over. */
  readonly endHere: () => Promise<void>;
  readonly endEverywhere: () => Promise<void>;
  /** Gives the tokens to every request from now on. */
  readonly carry: typeof carrySessionTokens;
  readonly remember: (userId: string) => void;
  readonly forget: () => void;
}

/** Holds who is signed in, for all pages that ask. */
export function createIdentityStore(parts: IdentityStoreParts) {
  let known: Known = asking;
  let loading: Promise<IdentityPort> | undefined;
  let checking: Promise<void> | undefined;
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
      parts.carry({ token: port.token, refused: () => void lookAgain() });
      port.onSignIn(() => void lookAgain());
      return port;
    });
    // What could not be loaded once may be loaded the next time.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  }

  async function ask(): Promise<void> {
    try {
      const port = await load();
      if ((await port.token()) === null) return becomeSignedOut();
      const { userId, name, role } = await parts.getMe();
      parts.remember(userId);
      become({ state: "signedIn", userId, name, role, unreachable: false });
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 401) becomeSignedOut();
      else become({ ...asking, unreachable: true });
    }
  }

  /** One question at a time: the refusal of the question itself asks no other. */
  function check(): Promise<void> {
    checking ??= ask().finally(() => {
      checking = undefined;
    });
    return checking;
  }

  /** After a refused token, or a sign-in: the token that is kept says nothing any more. */
  async function lookAgain(): Promise<void> {
    if (checking) return;
    (await load()).forgetToken();
    await check();
  }

  async function leave(tellServer: () => Promise<void>): Promise<void> {
    const port = await load();
    await tellServer();
    port.forgetToken();
    await port.endSession();
    becomeSignedOut();
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: (): Known => known,
    /** Asks who is signed in, unless that was asked already. */
    begin(): void {
      if (known === asking) void check();
    },
    check(): void {
      become(asking);
      void check();
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
  getMe,
  endHere: signOutHere,
  endEverywhere: signOutEverywhere,
  carry: carrySessionTokens,
  remember: rememberUserId,
  forget: forgetSignIn,
});
