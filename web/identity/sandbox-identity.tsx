import { ChevronRight } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import * as z from "zod/mini";
import { SelectField } from "../ui/fields/choice-fields.tsx";
import { TextField } from "../ui/fields/field.tsx";
import type { IdentityPort, ProviderPageProps } from "./identity-port.ts";

const sandboxIdentityApi = {
  persons: "/sandbox/identity/persons",
  signIn: "/sandbox/identity/sign-in",
  token: "/sandbox/identity/session-token",
  signOut: "/sandbox/identity/sign-out",
} as const;

/**
 * Calls the sandbox's sign-in, which plays the provider and is not our API: only its session cookie identifies the
 * user.
 * @throws TypeError without an answer
 */
const askSandbox = (method: "GET" | "POST", url: string, body?: unknown): Promise<Response> =>
  fetch(url, {
    method,
    credentials: "same-origin",
    headers: {
      Accept: "application/json",
      ...(method === "POST" ? { "Content-Type": "application/json" } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const listeners = new Set<() => void>();

/** Reports a sign-in on the sandbox's page. */
const signIns = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  happened(): void {
    for (const listener of listeners) listener();
  },
};

const tokenAnswer = z.object({ token: z.nullable(z.string()) });

/** A new token for this browser's session; null without one. */
async function fetchToken(): Promise<string | null> {
  const response = await askSandbox("POST", sandboxIdentityApi.token);
  if (!response.ok) throw new Error(`The sandbox's sign-in answered ${response.status}.`);
  return tokenAnswer.parse(await response.json()).token;
}

/** Tokens are renewed this long before they expire. */
const renewedBeforeMs = 15_000;

let kept: { readonly token: string; readonly untilMs: number } | undefined;
let fetching: Promise<string | null> | undefined;

/** The session's token, cached and renewed in time; simultaneous callers share one request. */
function sessionToken(): Promise<string | null> {
  if (kept && performance.now() < kept.untilMs) return Promise.resolve(kept.token);
  fetching ??= renewedToken().finally(() => {
    fetching = undefined;
  });
  return fetching;
}

async function renewedToken(): Promise<string | null> {
  // A monotonic clock: the computer's clock may be wrong, so lifetimes count from a token's arrival.
  const askedAtMs = performance.now();
  const token = await fetchToken();
  kept = token === null ? undefined : { token, untilMs: askedAtMs + lifetimeMs(token) - renewedBeforeMs };
  return token;
}

function forgetToken(): void {
  kept = undefined;
}

const times = z.object({ iat: z.number(), exp: z.number() });

/** A token's lifetime in milliseconds. @throws for a malformed token */
function lifetimeMs(token: string): number {
  const [, claims = ""] = token.split(".");
  const json = atob(claims.replaceAll("-", "+").replaceAll("_", "/"));
  const { iat, exp } = times.parse(JSON.parse(json));
  return (exp - iat) * 1000;
}

/** The sandbox's replacement for the hosted identity provider. */
export const sandboxIdentity: IdentityPort = {
  token: sessionToken,
  forgetToken,
  endSession: async () => {
    const response = await askSandbox("POST", sandboxIdentityApi.signOut);
    if (!response.ok) throw new Error(`The sandbox's sign-in answered ${response.status}.`);
    forgetToken();
  },
  onSignIn: signIns.subscribe,
  SignIn: SandboxSignIn,
  SignUp: SandboxSignUp,
};

const role = z.nullable(z.enum(["staff", "manager", "compliance"]));
const person = z.object({ username: z.string(), role });
const answer = z.object({ persons: z.array(person) });

/** A person the sandbox can sign in; without a role, a customer. */
type Person = z.infer<typeof person>;

const rolesInWords = {
  staff: "Staff: handles orders and tickets",
  manager: "Manager: also approves refunds and changes settings",
  compliance: "Compliance: read-only access",
  customer: "Customer: no access",
} as const;

/** Signs a person in and continues; `refusal` explains a failure. */
function useSignIn(afterwards: string) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const signIn = async (who: NewSignIn): Promise<void> => {
    setBusy(true);
    setRefusal(null);
    const refused = await signInToSandbox(who);
    setBusy(false);
    if (refused !== null) return setRefusal(refused);
    signIns.happened();
    await navigate(afterwards);
  };
  return { busy, refusal, signIn: (who: NewSignIn) => void signIn(who) };
}

/** Replaces the hosted sign-in: choose a prepared person, or enter a new one. */
function SandboxSignIn({ afterwards }: ProviderPageProps) {
  const { busy, refusal, signIn } = useSignIn(afterwards);
  const { persons, failed } = usePersons();
  return (
    <div>
      <SandboxNotice />
      {refusal !== null && <ErrorNote>{refusal}</ErrorNote>}
      {failed && <ErrorNote>The list of sample users could not be loaded.</ErrorNote>}
      <ul className="mt-6 divide-y divide-hairline border-y border-hairline" aria-label="Sign in as">
        {persons.map((person) => (
          <li key={person.username}>
            <button
              type="button"
              disabled={busy}
              className="flex min-h-14 w-full cursor-pointer items-center gap-4 px-2 py-2.5 text-start hover:bg-tint"
              onClick={() => signIn({ username: person.username })}
            >
              <span className="min-w-0 flex-1">
                <span className="block font-[600] text-primary">{person.username}</span>
                <span className="block text-14 text-muted">{rolesInWords[person.role ?? "customer"]}</span>
              </span>
              <ChevronRight aria-hidden="true" className="size-5 flex-none text-muted" strokeWidth={1.5} />
            </button>
          </li>
        ))}
      </ul>
      {/* Only with the list, which would otherwise push it down. */}
      {(persons.length > 0 || failed) && (
        <details className="mt-6">
          <summary className="cursor-pointer py-1 text-primary">Someone else</summary>
          <MakePerson busy={busy} label="Sign in" onMake={signIn} />
        </details>
      )}
    </div>
  );
}

/** Replaces the hosted sign-up: creates a person and signs them in. */
function SandboxSignUp({ afterwards }: ProviderPageProps) {
  const { busy, refusal, signIn } = useSignIn(afterwards);
  return (
    <div>
      <SandboxNotice />
      {refusal !== null && <ErrorNote>{refusal}</ErrorNote>}
      <MakePerson busy={busy} label="Sign up" onMake={signIn} />
    </div>
  );
}

function SandboxNotice() {
  return (
    <p className="border-l-3 border-primary py-1 pl-4">
      This is the sandbox's sign-in. It needs no password and works on this machine only.
    </p>
  );
}

function ErrorNote({ children }: { children: string }) {
  return (
    <p role="alert" className="mt-6 border-l-4 border-danger pl-4 font-[600] text-danger">
      {children}
    </p>
  );
}

interface MakePersonProps {
  readonly busy: boolean;
  readonly label: string;
  readonly onMake: (who: NewSignIn) => void;
}

const options = Object.entries(rolesInWords).map(([value, words]) => ({ value, words }));

/** Username and role: all that the sandbox knows about a person. */
function MakePerson({ busy, label, onMake }: MakePersonProps) {
  const [error, setError] = useState<string>();
  const make = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const username = String(given.get("username")).trim();
    setError(username === "" ? "Username is required" : undefined);
    if (username !== "") onMake({ username, role: roleIn(given.get("role")) });
  };
  return (
    <form noValidate className="mt-6 flex flex-col gap-6" onSubmit={make}>
      <TextField
        id="username"
        name="username"
        label="Username"
        hint="Use any name. The same name is always the same person."
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        error={error}
      />
      <SelectField id="role" name="role" label="Role" options={options} defaultValue="staff" />
      <button type="submit" className="button button-primary self-start" disabled={busy}>
        {label}
      </button>
    </form>
  );
}

/** The role chosen in a form; null for a customer. */
function roleIn(chosen: unknown): Person["role"] {
  const parsed = role.safeParse(chosen);
  return parsed.success ? parsed.data : null;
}

/** The prepared people, and whether they could not be loaded. */
function usePersons(): { readonly persons: readonly Person[]; readonly failed: boolean } {
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
interface NewSignIn {
  readonly username: string;
  readonly role?: Person["role"];
}

/** Opens a session with a cookie. @returns null on success, else a message for the page */
async function signInToSandbox(who: NewSignIn): Promise<string | null> {
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
