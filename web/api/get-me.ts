import * as z from "zod/mini";
import { identityApi } from "../identity/paths.ts";
import { requestJson } from "./request.ts";

const role = z.enum(["staff", "manager", "compliance"]);
export type Role = z.infer<typeof role>;

/** Who is signed in, as the server sees it. `role` is null for a customer. */
const me = z.object({ userId: z.string(), name: z.string(), role: z.nullable(role) });
export type Me = z.infer<typeof me>;

/** GET /api/me. @throws ApiError, 401 when nobody is signed in */
export const getMe = (): Promise<Me> => requestJson(me, "GET", identityApi.me);
