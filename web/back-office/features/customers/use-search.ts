import { useState } from "react";
import type { FoundCustomers } from "../../../../contract/customers/customers.ts";
import { searchCustomers } from "../../../../contract/customers/customers.ts";
import { ApiError } from "../../../api/problem.ts";
import { send } from "../../../api/send.ts";
import { useIdentity } from "../../../identity/identity.ts";
import { type Search, wrongWith } from "./search-form.tsx";

type State = "none" | "loading" | "ready" | "error";

interface Kept {
  readonly userId: string | null;
  readonly search: Search;
  /** What was looked for when it was found; the field may say something else by now. */
  readonly asked: Search | null;
  readonly found: FoundCustomers | null;
}

const nothing = (userId: string | null): Kept => ({
  userId,
  search: { by: "email", typed: "" },
  asked: null,
  found: null,
});

/** The last search, in memory alone, so that coming back from a customer finds the list again; for whoever made it. */
let kept: Kept = nothing(null);

/** Looks for customers. What was typed is kept in no address and no storage. */
export function useSearch() {
  const { userId } = useIdentity();
  const [current, setCurrent] = useState<Kept>(() => (kept.userId === userId ? kept : nothing(userId)));
  const [state, setState] = useState<State>(current.found === null ? "none" : "ready");
  const [refused, setRefused] = useState<string | null>(null);
  const keep = (next: Kept): void => {
    kept = next;
    setCurrent(next);
  };
  const run = async (): Promise<void> => {
    const { search } = current;
    const wrong = wrongWith(search);
    setRefused(wrong);
    if (wrong !== null) return;
    setState("loading");
    try {
      const found = await send(searchCustomers, { body: { by: search.by, typed: search.typed } });
      keep({ userId, search, asked: search, found });
      setState("ready");
    } catch (failure) {
      const words = refusalIn(failure);
      setRefused(words);
      setState(words === null ? "error" : current.found === null ? "none" : "ready");
    }
  };
  return {
    search: current.search,
    change: (search: Search) => keep({ ...current, search }),
    asked: current.asked,
    found: current.found,
    state,
    refused,
    run,
  };
}

/** In words what the server would not do; null when it did not answer. */
function refusalIn(failure: unknown): string | null {
  if (!(failure instanceof ApiError) || failure.status >= 500) return null;
  if (failure.status === 429) return "You searched a lot within a minute. Wait a moment, then search again.";
  return failure.fields[0]?.message ?? failure.detail;
}
