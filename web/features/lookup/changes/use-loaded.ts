import { useEffect, useEffectEvent, useState } from "react";
import { ApiError } from "../../../api/problem.ts";

/**
 * What a form starts with, asked for once: null while it loads, `closed` where it may not be had any more, `failed` where that is our
 * fault or the connection's. `again` asks once more.
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
