import * as z from "zod/mini";
import { staffRole } from "../../domain/settings/vocabulary.ts";
import { answers, get, nothing, post } from "../request.ts";

export const meAnswer = z
  .object({ userId: z.string(), name: z.string(), role: z.nullable(staffRole) })
  .register(z.globalRegistry, { id: "Me" });

export const showMe = get("/api/me", {
  summary: "Who is signed in",
  from: "signed-in",
  limit: "reads",
  answers: answers(meAnswer),
});

export const signOutHere = post("/api/me/sign-out", {
  summary: "End this session",
  from: "signed-in",
  limit: "commands",
  answers: nothing,
});

export const signOutEverywhere = post("/api/me/sign-out-everywhere", {
  summary: "End every session of this person",
  from: "signed-in",
  limit: "commands",
  answers: nothing,
});

/** The role is null for a customer. */
export type Me = z.output<typeof meAnswer>;
