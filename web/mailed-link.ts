import { useEffect, useEffectEvent } from "react";
import { useLocation, useNavigate } from "react-router-dom";

/** What opens, or deletes, what an emailed link leads to. */
export interface LinkKey {
  readonly use: "key" | "delete";
  readonly key: string;
}

/**
 * The key in a link: behind `#`, which browsers send to no server. Links to orders had it in the query until 28 November
 * 2026, and those are valid for 180 days.
 */
export function keyIn({ search, hash }: { search: string; hash: string }): LinkKey | null {
  const [hidden, sent] = [new URLSearchParams(hash.slice(1)), new URLSearchParams(search)];
  const remove = hidden.get("delete");
  if (remove !== null) return { use: "delete", key: remove };
  const key = hidden.get("key") ?? sent.get("key");
  return key === null ? null : { use: "key", key };
}

/** The query without a key; its other parameters stay. */
export function withoutKey(search: string): string {
  const query = new URLSearchParams(search);
  query.delete("key");
  return query.toString();
}

/**
 * Passes the link's key on to `keep`, and removes it from the address at once, to keep it out of the history and of
 * sight.
 * @returns whether the address still has a key; the render after `keep` has none
 */
export function useKeyOfLink(keep: (found: LinkKey) => void): boolean {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const take = useEffectEvent((found: LinkKey) => {
    keep(found);
    void navigate({ search: withoutKey(search), hash: "" }, { replace: true });
  });
  useEffect(() => {
    const found = keyIn({ search, hash });
    if (found) take(found);
  }, [search, hash]);
  return keyIn({ search, hash }) !== null;
}
