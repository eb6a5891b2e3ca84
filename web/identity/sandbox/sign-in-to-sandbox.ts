import { sandboxIdentityApi } from "../paths.ts";
import { askSandbox } from "./sandbox-requests.ts";
import type { Person } from "./use-persons.ts";

/** Who signs in. Without a role, the one the person has; null makes a customer of them. */
export interface NewSignIn {
  readonly username: string;
  readonly role?: Person["role"];
}

/** Opens a session, whose cookie the browser keeps. Answers why not, in words for the page; null when it is done. */
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
