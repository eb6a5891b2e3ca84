import { identityApi } from "../identity/paths.ts";
import { request } from "./request.ts";

/** Ends this session: its tokens are worth nothing from now on. @throws ApiError */
export async function signOutHere(): Promise<void> {
  await request("POST", identityApi.signOut);
}

/** Ends every session of this person, in every browser. @throws ApiError when some may still be open */
export async function signOutEverywhere(): Promise<void> {
  await request("POST", identityApi.signOutEverywhere);
}
