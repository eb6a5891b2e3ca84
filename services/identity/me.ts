import * as me from "../../contract/identity/me.ts";
import { signedInRoute } from "../gateway/routing/route.ts";
import { presentMe } from "./present-me.ts";

/** GET /api/me: who is signed in, as the server sees it. */
export const showMe = signedInRoute(me.showMe, ({ directory }) => async ({ by }) => ({
  body: presentMe(by, await directory.nameOf(by.userId)),
}));

/** POST /api/me/sign-out: this session is over. */
export const signOutHere = signedInRoute(me.signOutHere, ({ signOut }) => async ({ by }) => {
  await signOut.here(by.session.sessionId);
  return {};
});

/** POST /api/me/sign-out-everywhere: every session of this person is over, in every browser. */
export const signOutEverywhere = signedInRoute(me.signOutEverywhere, ({ signOut }) => async ({ by }) => {
  await signOut.everywhere(by.userId);
  return {};
});
