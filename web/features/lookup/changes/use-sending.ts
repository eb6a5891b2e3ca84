import { useRef, useState } from "react";
import { newIdempotencyKey } from "../../../api/idempotency-key.ts";
import { refusalWords } from "../../../api/problem.ts";

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
