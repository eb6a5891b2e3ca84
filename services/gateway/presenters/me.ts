import type { SignedInCaller } from "../guards/authorize.ts";

/** Who is signed in. The role is null for a customer. */
export const presentMe = ({ userId, role }: SignedInCaller, name: string) => ({
  userId,
  name,
  role: role ?? null,
});
