import { useRef, useState } from "react";
import { type ContactChange, correctContact } from "../../api/correct-contact.ts";
import { newIdempotencyKey } from "../../api/idempotency-key.ts";
import { refusalWords } from "../../api/refusal-words.ts";

/** Sends a corrected contact, each filled-in form under one key however often it is pressed. `problems` are the server's words. */
export function useSendContact(orderId: string, onSent: () => void) {
  const [sending, setSending] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const tried = useRef({ asked: "", key: "" });
  const send = async (change: ContactChange): Promise<void> => {
    if (sending) return;
    const asked = JSON.stringify(change);
    if (tried.current.asked !== asked) tried.current = { asked, key: newIdempotencyKey() };
    setSending(true);
    try {
      await correctContact(orderId, change, tried.current.key);
      onSent();
    } catch (failure) {
      setProblems(refusalWords(failure));
    } finally {
      setSending(false);
    }
  };
  return { send, sending, problems };
}
