import { z } from "zod";
import { role } from "../../identity/roles.ts";
import type { SignedInCaller } from "../guards/authorize.ts";
import type { Presented } from "../presented.ts";

/** GET /api/me */
export const meAnswer = z
  .object({ userId: z.string(), name: z.string(), role: role.nullable() })
  .meta({ id: "Me" });

/** Who is signed in. The role is null for a customer. */
export const presentMe = ({ userId, role }: SignedInCaller, name: string): Presented<typeof meAnswer> => ({
  userId,
  name,
  role: role ?? null,
});
