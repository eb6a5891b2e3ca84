import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { askSandbox, sandboxIdentityApi } from "./sandbox-requests.ts";

const role = z.nullable(z.enum(["staff", "manager", "compliance"]));
const person = z.object({ username: z.string(), role });
const answer = z.object({ persons: z.array(person) });

/** A person the sandbox can sign in; without a role, a customer. */
export type Person = z.infer<typeof person>;

export const rolesInWords = {
  staff: "Staff: handles orders and tickets",
  manager: "Manager: also approves refunds and changes settings",
  compliance: "Compliance: read-only access",
  customer: "Customer: no access",
} as const;

/** The role chosen in a form; null for a customer. */
export function roleIn(chosen: unknown): Person["role"] {
  const parsed = role.safeParse(chosen);
  return parsed.success ? parsed.data : null;
}

/** The prepared people, and whether they could not be loaded. */
export function usePersons(): { readonly persons: readonly Person[]; readonly failed: boolean } {
  const [persons, setPersons] = useState<readonly Person[]>([]);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    loadPersons().then(setPersons, () => setFailed(true));
  }, []);
  return { persons, failed };
}

async function loadPersons(): Promise<readonly Person[]> {
  const response = await askSandbox("GET", sandboxIdentityApi.persons);
  if (!response.ok) throw new Error(`The sandbox's sign-in answered ${response.status}.`);
  return answer.parse(await response.json()).persons;
}

/** The person to sign in. An undefined role keeps the person's; null means customer. */
export interface NewSignIn {
  readonly username: string;
  readonly role?: Person["role"];
}

/** Opens a session with a cookie. @returns null on success, else a message for the page */
export async function signInToSandbox(who: NewSignIn): Promise<string | null> {
  try {
    const response = await askSandbox("POST", sandboxIdentityApi.signIn, who);
    if (response.ok) return null;
    if (response.status === 403)
      return "The sandbox signs people in only on the machine it runs on. Where the site has a public address, open /sandbox/identity/unlock there first.";
    if (response.status === 429) return "Too many sign-ins: please wait a minute.";
    return "The sandbox refused this sign-in.";
  } catch {
    return "The server did not answer. Please try again.";
  }
}
