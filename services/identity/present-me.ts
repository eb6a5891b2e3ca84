import type { meAnswer } from "../../contract/identity/me.ts";
import type { SignedInCaller } from "../gateway/guards/authorize.ts";
import type { Presented } from "../gateway/routing/presented.ts";

/** Who is signed in. The role is null for a customer. */
export const presentMe = ({ userId, role }: SignedInCaller, name: string): Presented<typeof meAnswer> => ({
  userId,
  name,
  role: role ?? null,
});
