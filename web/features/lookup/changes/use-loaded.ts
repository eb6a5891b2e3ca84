import { useEffect, useEffectEvent, useState } from "react";
import { ApiError } from "../../../api/problem.ts";

/**
 * A form's initial data, requested once: null while loading, `closed` if it is no longer available, `failed` for a
 * fault of ours or the connection's. `again` retries.
 */
export function useLoaded<Loaded extends object>(load: () => Promise<Loaded>) {
  const [loaded, setLoaded] = useState<Loaded | "closed" | "failed" | null>(null);
  const [tries, setTries] = useState(0);
  const loadNow = useEffectEvent(load);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when the reader wants it.
  useEffect(() => {
    let wanted = true;
    loadNow().then(
      (found) => wanted && setLoaded(found),
      (failure: unknown) => wanted && setLoaded(isRefusal(failure) ? "closed" : "failed"),
    );
    return () => {
      wanted = false;
    };
  }, [tries]);
  const again = (): void => {
    setLoaded(null);
    setTries((count) => count + 1);
  };
  return { loaded, again };
}

const isRefusal = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.status < 500 && failure.status !== 429;
