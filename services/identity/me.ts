import type { meAnswer } from "../../contract/identity/me.ts";
import * as me from "../../contract/identity/me.ts";
import type { Presented } from "../../contract/request.ts";
import type { SignedInCaller } from "../gateway/guards/identify.ts";
import { signedInRoute } from "../gateway/route.ts";

export const showMe = signedInRoute(me.showMe, ({ directory }) => async ({ by }) => ({
  body: presentMe(by, await directory.nameOf(by.userId)),
}));

/** Ends this session. */
export const signOutHere = signedInRoute(me.signOutHere, ({ signOut }) => async ({ by }) => {
  await signOut.here(by.session.sessionId);
  return {};
});

/** Ends every session of this person, in every browser. */
export const signOutEverywhere = signedInRoute(me.signOutEverywhere, ({ signOut }) => async ({ by }) => {
  await signOut.everywhere(by.userId);
  return {};
});

/** The signed-in user. The role is null for a customer. */
const presentMe = ({ userId, role }: SignedInCaller, name: string): Presented<typeof meAnswer> => ({
  userId,
  name,
  role: role ?? null,
});
