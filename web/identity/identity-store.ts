import type { Me } from "../../contract/identity/me.ts";
import { ApiError } from "../api/problem.ts";
import type { carrySessionTokens } from "../api/request.ts";
import type { Identity, IdentityPort } from "./identity-port.ts";

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

  /**
   * The session may have ended elsewhere, or the role be another. A refusal of this request itself causes no further
   * one.
   */
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
