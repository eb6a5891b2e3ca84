import { X } from "lucide-react";
import { useId } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import type { SelectOption } from "../../../ui/fields/choice-fields.tsx";

/** A list filter. `name` is its query parameter. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  /** Options, a date input, or nothing to choose from: a link sets it. */
  readonly choice: readonly SelectOption[] | "day" | "link";
}

/** Filters kept in the URL: active ones are removable chips, the others inputs. */
export function FilterChips({ filters }: { filters: readonly Filter[] }) {
  const { values, set, clear } = useFilters(filters.map(({ name }) => name));
  const active = filters.filter(({ name }) => values[name] !== undefined);
  const others = filters.filter(({ name }) => values[name] === undefined);
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-2">
      <legend className="sr-only">Filters</legend>
      {active.map((filter) => (
        <Chip
          key={filter.name}
          filter={filter}
          value={values[filter.name] ?? ""}
          onRemove={() => set(filter.name, undefined)}
        />
      ))}
      {others.map((filter) => (
        <AddFilter key={filter.name} filter={filter} onPick={(value) => set(filter.name, value)} />
      ))}
      {active.length > 1 && (
        <button type="button" className="button button-dense button-quiet" onClick={clear}>
          Clear all
        </button>
      )}
    </fieldset>
  );
}

function Chip({ filter, value, onRemove }: { filter: Filter; value: string; onRemove: () => void }) {
  const { label } = filter;
  const words = wordsOf(filter, value);
  return (
    <span className="inline-flex min-h-8.5 items-center rounded-4 border border-primary bg-tint pl-2.5 text-13">
      {words !== null && <span className="text-muted">{label}:&nbsp;</span>}
      <span className="font-[500]">{words ?? label}</span>
      <button
        type="button"
        aria-label={`Remove the filter ${words === null ? label : `${label}: ${words}`}`}
        className="ml-1 grid size-8 cursor-pointer place-items-center rounded-4 text-primary hover:text-primary-hover"
        onClick={onRemove}
      >
        <X aria-hidden="true" className="size-3.5" strokeWidth={2} />
      </button>
    </span>
  );
}

/** Null where the label says enough: what a link sets is an id. */
function wordsOf({ choice }: Filter, value: string): string | null {
  if (choice === "link") return null;
  if (choice === "day") return value;
  return choice.find((option) => option.value === value)?.words ?? value;
}

function AddFilter({ filter, onPick }: { filter: Filter; onPick: (value: string) => void }) {
  const id = useId();
  const { label, choice } = filter;
  if (choice === "link") return null;
  if (choice === "day") {
    return (
      <span className="inline-flex items-center gap-1.5 text-13">
        <label htmlFor={id} className="text-muted">
          {label}
        </label>
        <input
          id={id}
          type="date"
          className="dense-box"
          onBlur={({ target }) => target.value !== "" && onPick(target.value)}
          onKeyDown={({ key, currentTarget }) =>
            key === "Enter" && currentTarget.value !== "" && onPick(currentTarget.value)
          }
        />
      </span>
    );
  }
  return (
    <select
      aria-label={label}
      className="dense-box max-w-full"
      value=""
      onChange={({ target }) => target.value !== "" && onPick(target.value)}
    >
      <option value="">{label}</option>
      {choice.map(({ value, words }) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** Paging parameters, reset by a new filter. */
const pageParameters = ["after", "before"] as const;

/**
 * Filters in the URL, to bookmark, share and go back to.
 * @param names the filter parameters; others, such as the sort order, stay
 */
function useFilters(names: readonly string[]) {
  const [parameters] = useSearchParams();
  const changeAddress = useChangeAddress();
  const values: Readonly<Record<string, string | undefined>> = Object.fromEntries(
    names.map((name) => [name, parameters.get(name) ?? undefined]),
  );
  const change = (changes: Readonly<Record<string, string | undefined>>): void =>
    changeAddress((next) => {
      for (const name of pageParameters) next.delete(name);
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined) next.delete(name);
        else next.set(name, value);
      }
    });
  return {
    values,
    set: (name: string, value: string | undefined) => change({ [name]: value }),
    clear: () => change(Object.fromEntries(names.map((name) => [name, undefined]))),
  };
}

/**
 * Changes parameters of the page's address. Starts from the address itself: `useSearchParams` starts from the last
 * render, so the second of two quick changes would undo the first.
 */
export function useChangeAddress(): (change: (parameters: URLSearchParams) => void) => void {
  const navigate = useNavigate();
  return (change) => {
    const parameters = new URLSearchParams(window.location.search);
    change(parameters);
    void navigate(`?${parameters}`);
  };
}
