import { createHash } from "node:crypto";
import type { Role } from "../../../identity/roles.ts";

/** A person known to the sandbox's sign-in; without a role, a customer. */
export type SandboxPerson = { readonly username: string; readonly role: Role | undefined };

/** Invented people for the sandbox: two in each role that needs a second person. */
export const preparedPeople: readonly SandboxPerson[] = [
  { username: "Robin Ellis", role: "staff" },
  { username: "Sam Okafor", role: "staff" },
  { username: "Morgan Hughes", role: "manager" },
  { username: "Jules Hart", role: "manager" },
  { username: "Casey Lindqvist", role: "compliance" },
  { username: "Taylor Price", role: undefined },
];

/** The same name gives the same user id. The id reveals nothing, since it is stored in the event log. */
export const userIdOf = (username: string): string =>
  `user_${createHash("sha256").update(`sandbox-user\n${username}`).digest("hex").slice(0, 24)}`;
