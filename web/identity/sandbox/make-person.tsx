import { type FormEvent, useState } from "react";
import { SelectField } from "../../ui/select-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { NewSignIn } from "./sign-in-to-sandbox.ts";
import { roleIn, rolesInWords } from "./use-persons.ts";

interface MakePersonProps {
  readonly busy: boolean;
  readonly label: string;
  readonly onMake: (who: NewSignIn) => void;
}

const options = Object.entries(rolesInWords).map(([value, words]) => ({ value, words }));

/** A username and a role: all that the sandbox knows of somebody. */
export function MakePerson({ busy, label, onMake }: MakePersonProps) {
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
