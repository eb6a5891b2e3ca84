import { type FormEvent, useId, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import {
  type FoundOrders,
  type SearchKind,
  searchKindOf,
  searchKinds,
  searchOrders,
} from "../../../../contract/staff-orders/list.ts";
import { ApiError } from "../../../api/problem.ts";
import { send } from "../../../api/send.ts";
import { adminPages } from "../../paths.ts";

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
        <button type="submit" className="button button-dense button-outlined" disabled={state === "busy"}>
          Search
        </button>
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
