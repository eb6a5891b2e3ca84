import type { Parts } from "../parts.ts";
import { presentMe } from "../presenters/me.ts";
import type { Answer, SignedInCall } from "../route.ts";

/** GET /api/me: who is signed in, as the server sees it. */
export const showMe =
  ({ directory }: Parts) =>
  async ({ by }: SignedInCall): Promise<Answer> => ({
    body: presentMe(by, await directory.nameOf(by.userId)),
  });

/** POST /api/me/sign-out: this session is over. */
export const signOutHere =
  ({ signOut }: Parts) =>
  async ({ by }: SignedInCall): Promise<Answer> => {
    await signOut.here(by.session.sessionId);
    return { status: 204 };
  };

/** POST /api/me/sign-out-everywhere: every session of this person is over, in every browser. */
export const signOutEverywhere =
  ({ signOut }: Parts) =>
  async ({ by }: SignedInCall): Promise<Answer> => {
    await signOut.everywhere(by.userId);
    return { status: 204 };
  };
