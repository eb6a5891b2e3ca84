import { expect, test, vi } from "vitest";
import { clerkSessions } from "./clerk-sessions.ts";

/** As much of a session of Clerk's as we read. */
type Session = { id: string; getToken: (options: { skipCache: boolean }) => Promise<string | null> };

/** A browser in which users sign in and out, here or in another tab. */
function browser(first: Session | null) {
  const listeners = new Set<(heard: { session: Session | null | undefined }) => void>();
  const clerk = {
    session: first,
    addListener(listener: (heard: { session: Session | null | undefined }) => void) {
      listeners.add(listener);
      listener({ session: clerk.session });
      return () => void listeners.delete(listener);
    },
    signOut: vi.fn<(afterwards: () => void) => Promise<void>>(async () => undefined),
  };
  const become = (session: Session | null | undefined) => {
    clerk.session = session ?? null;
    for (const listener of listeners) listener({ session });
  };
  return { clerk, become };
}

const sessionOf = (id: string, answers: (string | null | Error)[] = []) => {
  const asked: boolean[] = [];
  const getToken = async ({ skipCache }: { skipCache: boolean }) => {
    asked.push(skipCache);
    const answer = answers.shift() ?? null;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { session: { id, getToken }, asked };
};

test("a token comes from Clerk, and is null when signed out or the session is over", async () => {
  expect(await clerkSessions(browser(null).clerk).token()).toBeNull();
  const { session } = sessionOf("sess_1", ["token", null]);
  const { token } = clerkSessions(browser(session).clerk);
  expect(await token()).toBe("token");
  expect(await token()).toBeNull();
});

test("after a refusal Clerk is asked for a new one, until one came", async () => {
  const { session, asked } = sessionOf("sess_1", ["old", new Error("Offline."), "new", "new"]);
  const { token, forgetToken } = clerkSessions(browser(session).clerk);
  await token();
  forgetToken();
  await expect(token()).rejects.toThrow("Offline.");
  expect(await token()).toBe("new");
  await token();
  expect(asked).toEqual([false, true, true, false]);
});

test("a sign-in is reported once, also of another person; neither the start nor a sign-out is one", () => {
  const { clerk, become } = browser(sessionOf("sess_1").session);
  const heard = vi.fn();
  const stop = clerkSessions(clerk).onSignIn(heard);
  expect(heard).not.toHaveBeenCalled();
  become(undefined);
  become(sessionOf("sess_2").session);
  become(sessionOf("sess_2").session);
  expect(heard).toHaveBeenCalledTimes(1);
  become(null);
  expect(heard).toHaveBeenCalledTimes(1);
  become(sessionOf("sess_2").session);
  expect(heard).toHaveBeenCalledTimes(2);
  stop();
  become(sessionOf("sess_3").session);
  expect(heard).toHaveBeenCalledTimes(2);
});

test("the end of the session leads the browser nowhere", async () => {
  const { clerk } = browser(sessionOf("sess_1").session);
  await clerkSessions(clerk).endSession();
  expect(clerk.signOut.mock.calls[0]?.[0]).toBeTypeOf("function");
});
