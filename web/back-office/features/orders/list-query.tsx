import { type FormEvent, useId, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import * as z from "zod/mini";
import {
  type FoundOrders,
  type SearchKind,
  searchKindOf,
  searchKinds,
  searchOrders,
} from "../../../../contract/staff-orders/list.ts";
import { ApiError } from "../../../api/problem.ts";
import { send } from "../../../api/send.ts";
import { BusyButton } from "../../../ui/busy-button.tsx";
import { adminPages } from "../../paths.ts";

/** The page's query parameters that the server understands. */
const filterNames = [
  "queue",
  "duplicates",
  "checkout",
  "status",
  "phase",
  "type",
  "service",
  "createdFrom",
  "createdTo",
  "paidFrom",
  "paidTo",
  "group",
  "sort",
  "direction",
] as const;

/** The query of the export: filters, groups and sort order. */
export const choiceOf = (parameters: URLSearchParams): string => taken(parameters, filterNames);

/** The query of a page. */
export const pageOf = (parameters: URLSearchParams): string =>
  taken(parameters, [...filterNames, "after", "before"]);

function taken(parameters: URLSearchParams, names: readonly string[]): string {
  const query = new URLSearchParams();
  for (const name of names) {
    const value = parameters.get(name);
    if (value) query.set(name, value);
  }
  return query.toString();
}

const arranging: ReadonlySet<string> = new Set(["group", "sort", "direction"]);

/** Whether a filter is set. */
export const isNarrowed = (parameters: URLSearchParams): boolean =>
  filterNames.some((name) => !arranging.has(name) && parameters.has(name));

/** The query of another page of the list; null for the first page. */
export function pageAt(
  parameters: URLSearchParams,
  place: { readonly after: string } | { readonly before: string } | null,
): string {
  const next = new URLSearchParams(choiceOf(parameters));
  for (const [name, value] of Object.entries(place ?? {})) next.set(name, value);
  return next.toString();
}

/** A named query: filters, groups and sort order. */
export interface View {
  readonly name: string;
  readonly query: string;
}

const waiting = (queue: string): string => `queue=${queue}&direction=ascending`;

export const builtInViews: readonly View[] = [
  { name: "All", query: "" },
  { name: "Not submitted", query: waiting("notSubmitted") },
  { name: "Failed submissions", query: waiting("submissionFailed") },
  { name: "Overdue", query: "queue=overdue&sort=despatch&direction=ascending" },
  { name: "GRO questions", query: waiting("groQuestion") },
  { name: "Proposals to approve", query: waiting("refundProposed") },
  { name: "Possible duplicates", query: "duplicates=recent&sort=paid" },
  { name: "Newly paid", query: "status=Processing&sort=paid" },
];

const storageKey = "back-office-order-views";
const mostViews = 20;
const storedSchema = z.array(z.object({ name: z.string(), query: z.string() }));

/** The views saved in this browser; none if they are unreadable. */
export function readViews(storage: Pick<Storage, "getItem">): readonly View[] {
  try {
    const parsed = storedSchema.safeParse(JSON.parse(storage.getItem(storageKey) ?? "[]"));
    return parsed.success ? parsed.data.slice(0, mostViews) : [];
  } catch {
    // Corrupt or foreign data.
    return [];
  }
}

/** Adds a view, or replaces the one of the same name. */
export function withView(views: readonly View[], name: string, parameters: URLSearchParams): readonly View[] {
  const others = views.filter((view) => view.name !== name);
  return [...others, { name, query: choiceOf(parameters) }].slice(-mostViews);
}

/** Saves views in this browser. @throws DOMException when storage is blocked or full */
export const keepViews = (storage: Pick<Storage, "setItem">, views: readonly View[]): void =>
  storage.setItem(storageKey, JSON.stringify(views));

const kindWords: Readonly<Record<SearchKind, string>> = {
  number: "Order number",
  email: "Email address",
  surname: "Surname",
  postcode: "Postcode",
};

/** Search results and criterion; null without a search. */
export type Search = { readonly by: string; readonly found: FoundOrders } | null;

/** Searches by number, email address, surname or postcode. The text stays out of the URL: it may be personal data. */
export function OrderSearch({ onFound }: { onFound: (search: Search) => void }) {
  const box = useRef<HTMLInputElement>(null);
  const boxId = useId();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<SearchKind | "guess">("guess");
  const [state, setState] = useState<"idle" | "busy" | string>("idle");
  const by = chosen === "guess" ? searchKindOf(text) : chosen;

  const search = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (text.trim() === "") return;
    setState("busy");
    try {
      const found = await send(searchOrders, { body: { by, text } });
      const [only, ...others] = found.orders;
      setState("idle");
      if (by === "number" && only && others.length === 0) await navigate(adminPages.order(only.orderNumber));
      else onFound({ by: kindWords[by].toLowerCase(), found });
    } catch (failure) {
      setState(wordsOf(failure));
    }
  };

  return (
    <search>
      <form className="flex flex-wrap items-center gap-2" onSubmit={(event) => void search(event)}>
        <label htmlFor={boxId} className="sr-only">
          Order number, email address, surname or postcode
        </label>
        <input
          id={boxId}
          ref={box}
          data-search
          type="search"
          className="dense-box w-full sm:w-80"
          placeholder="Number, email, surname or postcode"
          autoComplete="off"
          spellCheck={false}
          maxLength={254}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={({ key }) => key === "Escape" && box.current?.blur()}
        />
        <select
          aria-label="Search by"
          className="dense-box"
          value={chosen}
          onChange={({ target }) => setChosen(searchKinds.find((kind) => kind === target.value) ?? "guess")}
        >
          <option value="guess">
            {text.trim() === "" ? "Detect automatically" : `As ${kindWords[by].toLowerCase()}`}
          </option>
          {searchKinds.map((kind) => (
            <option key={kind} value={kind}>
              {kindWords[kind]}
            </option>
          ))}
        </select>
        <BusyButton type="submit" className="button button-dense button-outlined" busy={state === "busy"}>
          Search
        </BusyButton>
      </form>
      {state !== "idle" && state !== "busy" && (
        <p role="alert" className="mt-2 text-13 text-danger">
          {state}
        </p>
      )}
    </search>
  );
}

const wordsOf = (failure: unknown): string =>
  failure instanceof ApiError
    ? (failure.fields[0]?.message ?? failure.detail ?? "The search was rejected.")
    : "The server did not respond. Please try again.";
