import { expect, test, vi } from "vitest";
import type { Me } from "../../contract/identity/me.ts";
import { soon } from "../../testing/setup/patience.ts";
import { ApiError } from "../api/problem.ts";
import type { carrySessionTokens } from "../api/request.ts";
import type { IdentityPort } from "./identity-port.ts";
import { createIdentityStore } from "./identity-store.ts";

const robin: Me = { userId: "user_robin", name: "Robin", role: "staff" };
const taylor: Me = { userId: "user_taylor", name: "Taylor", role: null };
const unauthorised = new ApiError(401, "", "Unauthorized");

function identity() {
  const world = { token: "token" as string | null, me: async (): Promise<Me> => robin };
  const calls: string[] = [];
  let carried: Parameters<typeof carrySessionTokens>[0];
  let signedIn = (): void => undefined;
  const port: IdentityPort = {
    token: async () => world.token,
    forgetToken: () => void calls.push("token forgotten"),
    endSession: async () => void calls.push("session ended"),
    onSignIn: (listener) => {
      signedIn = listener;
      return () => undefined;
    },
    SignIn: () => null,
    SignUp: () => null,
  };
  const load = vi.fn(async () => port);
  const store = createIdentityStore({
    load,
    getMe: () => world.me(),
    endHere: async () => void calls.push("server: here"),
    endEverywhere: async () => void calls.push("server: everywhere"),
    carry: (tokens) => {
      carried = tokens;
    },
    remember: (userId) => void calls.push(`remembered ${userId}`),
    forget: () => void calls.push("forgotten"),
    forgetWork: () => void calls.push("work forgotten"),
  });
  const settled = (state: string) => vi.waitFor(() => expect(store.current().state).toBe(state), soon);
  return { world, calls, store, load, settled, refuse: () => carried?.refused(), signIn: () => signedIn() };
}

test("who is signed in is asked for once, however many ask", async () => {
  const { store, load, settled, calls } = identity();
  store.begin();
  store.begin();
  await settled("signedIn");
  store.begin();
  expect(store.current()).toEqual({ ...robin, state: "signedIn", unreachable: false });
  expect(load).toHaveBeenCalledTimes(1);
  expect(calls).toEqual(["remembered user_robin"]);
});

test("without a token, or with a refused one, the user is signed out, and id and marker are forgotten", async () => {
  for (const change of [{ token: null }, { me: () => Promise.reject(unauthorised) }]) {
    const { world, store, settled, calls } = identity();
    Object.assign(world, change);
    store.begin();
    await settled("signedOut");
    expect(calls).toContain("forgotten");
  }
});

test("no answer is no sign-out: it says so, and asks again on demand", async () => {
  const { world, store, settled, calls } = identity();
  world.me = () => Promise.reject(new TypeError("Failed to fetch"));
  store.begin();
  await expect.poll(() => store.current().unreachable).toBe(true);
  expect(store.current().state).toBe("loading");
  expect(calls).not.toContain("forgotten");
  world.me = async () => robin;
  store.check();
  expect(store.current().unreachable).toBe(false);
  await settled("signedIn");
});

test("a provider that could not be loaded is loaded anew", async () => {
  const { store, load, settled } = identity();
  load.mockRejectedValueOnce(new Error("No script."));
  store.begin();
  await expect.poll(() => store.current().unreachable).toBe(true);
  store.check();
  await settled("signedIn");
});

test("a refused token leads to a new question, and the refusal of that to none", async () => {
  const { world, store, settled, calls, refuse } = identity();
  store.begin();
  await settled("signedIn");
  const asked = vi.fn<() => Promise<Me>>(async () => {
    refuse();
    throw unauthorised;
  });
  world.me = asked;
  refuse();
  await settled("signedOut");
  expect(asked).toHaveBeenCalledTimes(1);
  expect(calls).toContain("token forgotten");
});

test("a refusal of what a role may not do changes nothing, unless the role is gone", async () => {
  const { world, store, settled, calls, refuse } = identity();
  store.begin();
  await settled("signedIn");
  const states: string[] = [];
  store.subscribe(() => states.push(`${store.current().state} ${store.current().role}`));
  refuse();
  await expect.poll(() => states).toEqual(["signedIn staff"]);
  world.me = async () => ({ ...robin, role: null });
  refuse();
  await expect.poll(() => states).toEqual(["signedIn staff", "signedIn null"]);
  expect(calls).not.toContain("forgotten");
});

test("after a sign-in the previous user is never taken for the new one", async () => {
  const { world, store, settled, signIn } = identity();
  world.me = async () => taylor;
  store.begin();
  await settled("signedIn");
  world.me = async () => robin;
  signIn();
  expect(store.current().state).toBe("loading");
  await settled("signedIn");
  expect(store.current().userId).toBe("user_robin");
});

test("an answer that comes late, from before a sign-in, counts for nothing", async () => {
  const { world, store, settled, signIn } = identity();
  let late = (_: Me): void => undefined;
  world.me = () => new Promise((resolve) => (late = resolve));
  store.begin();
  await expect.poll(() => late).not.toBeUndefined();
  await Promise.resolve();
  world.me = async () => robin;
  signIn();
  await settled("signedIn");
  late(taylor);
  await Promise.resolve();
  expect(store.current().userId).toBe("user_robin");
});

test("signing out tells the server first, and is complete only when both have done it", async () => {
  const { store, settled, calls } = identity();
  store.begin();
  await settled("signedIn");
  await store.signOutEverywhere();
  expect(calls.slice(1)).toEqual([
    "server: everywhere",
    "token forgotten",
    "session ended",
    "work forgotten",
    "forgotten",
  ]);
  expect(store.current().state).toBe("signedOut");
});
