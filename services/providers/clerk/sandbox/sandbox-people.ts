import { createHash } from "node:crypto";
import type { Role } from "../../../identity/roles.ts";

/** Somebody whom the sandbox's sign-in knows; without a role they are a customer. */
export type SandboxPerson = { readonly username: string; readonly role: Role | undefined };

/** Invented people who can always sign in to a sandbox: two of each kind that needs a second person. */
export const preparedPeople: readonly SandboxPerson[] = [
  { username: "Robin Ellis", role: "staff" },
  { username: "Sam Okafor", role: "staff" },
  { username: "Morgan Hughes", role: "manager" },
  { username: "Jules Hart", role: "manager" },
  { username: "Casey Lindqvist", role: "compliance" },
  { username: "Taylor Price", role: undefined },
];

/** The same name is the same user, and the id says nothing: it ends up in the log of events. */
export const userIdOf = (username: string): string =>
  `user_${createHash("sha256").update(`sandbox-user\n${username}`).digest("hex").slice(0, 24)}`;
