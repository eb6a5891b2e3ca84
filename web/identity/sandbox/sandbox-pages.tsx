import { ChevronRight } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router-dom";
import { SelectField } from "../../ui/fields/select-field.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import type { ProviderPageProps } from "../identity-port.ts";
import { signIns } from "./sandbox-requests.ts";
import { type NewSignIn, roleIn, rolesInWords, signInToSandbox, usePersons } from "./use-persons.ts";

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
export function SandboxSignIn({ afterwards }: ProviderPageProps) {
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
export function SandboxSignUp({ afterwards }: ProviderPageProps) {
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
