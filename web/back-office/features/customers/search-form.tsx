import { type FormEvent, useId, useRef } from "react";
import { customerSearch } from "../../../../contract/customers/customers.ts";
import { BusyButton } from "../../../ui/busy-button.tsx";
import { useKeys } from "../../layout/shortcuts.tsx";

export interface Search {
  readonly by: SearchKind;
  readonly typed: string;
}
const kinds = ["email", "surname", "postcode"] as const;
export type SearchKind = (typeof kinds)[number];

const words: Readonly<Record<SearchKind, string>> = {
  email: "Email address",
  surname: "Surname",
  postcode: "Postcode",
};

interface SearchFormProps {
  readonly search: Search;
  readonly onChange: (search: Search) => void;
  readonly onSearch: () => void;
  readonly busy: boolean;
  readonly refused: string | null;
}

/** Searches by one detail, which stays out of the URL. */
export function SearchForm({ search, onChange, onSearch, busy, refused }: SearchFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const [fieldId, errorId] = [useId(), useId()];
  useKeys([{ key: "/", words: "Search", run: () => field.current?.focus() }]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSearch();
  };
  return (
    <search>
      <form className="flex flex-wrap items-end gap-x-2 gap-y-2" noValidate onSubmit={submit}>
        <KindField kind={search.by} onChange={(by) => onChange({ ...search, by })} />
        <div className="flex min-w-0 flex-1 basis-56 flex-col gap-1 sm:max-w-96">
          <label htmlFor={fieldId} className="text-13 font-[500]">
            {words[search.by]}
          </label>
          <input
            ref={field}
            id={fieldId}
            className="dense-box w-full"
            type={search.by === "email" ? "email" : "text"}
            value={search.typed}
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
            aria-invalid={refused !== null}
            aria-describedby={refused === null ? undefined : errorId}
            onChange={({ target }) => onChange({ ...search, typed: target.value })}
          />
        </div>
        <BusyButton type="submit" className="button button-dense button-primary" busy={busy}>
          Search
        </BusyButton>
      </form>
      {refused !== null && (
        <p id={errorId} role="alert" className="mt-2 border-l-3 border-danger pl-3 font-[500] text-danger">
          {refused}
        </p>
      )}
    </search>
  );
}

function KindField({ kind, onChange }: { kind: SearchKind; onChange: (kind: SearchKind) => void }) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-13 font-[500]">
        Search by
      </label>
      <select
        id={id}
        className="dense-box"
        value={kind}
        onChange={({ target }) => onChange(kindIn(target.value))}
      >
        {kinds.map((each) => (
          <option key={each} value={each}>
            {words[each]}
          </option>
        ))}
      </select>
    </div>
  );
}

const kindIn = (value: string): SearchKind => kinds.find((kind) => kind === value) ?? "email";

/** The server's validation message for a search; null if valid. */
export const wrongWith = (search: Search): string | null =>
  customerSearch.safeParse(search).error?.issues[0]?.message ?? null;
