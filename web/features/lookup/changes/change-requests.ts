import { useEffect, useEffectEvent, useRef, useState } from "react";
import { ApiError, refusalWords } from "../../../api/problem.ts";
import { newIdempotencyKey } from "../../../api/request.ts";

// Apart from the frame of these forms, which the lookup page loads at once, without the API.

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

/**
 * Sends a form, one request at a time, each under one key however often the button is pressed.
 * @returns `problems`: the server's messages
 */
export function useSending<Filled>(
  post: (filled: Filled, key: string) => Promise<unknown>,
  onSent: () => void,
) {
  const [sending, setSending] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const tried = useRef({ asked: "", key: "" });
  const send = async (filled: Filled): Promise<void> => {
    if (sending) return;
    const asked = JSON.stringify(filled);
    if (tried.current.asked !== asked) tried.current = { asked, key: newIdempotencyKey() };
    setSending(true);
    try {
      await post(filled, tried.current.key);
      onSent();
    } catch (failure) {
      setProblems(refusalWords(failure));
    } finally {
      setSending(false);
    }
  };
  return { send, sending, problems };
}

/** The frame of every form that changes an order: loading states and refusals. */
