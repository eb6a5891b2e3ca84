import { useRef, useState } from "react";
import { sendApplication } from "../../api/application.ts";
import { newIdempotencyKey } from "../../api/idempotency-key.ts";
import { refusalWords } from "../../api/refusal-words.ts";
import { type Applicant, applicationOf } from "../../checkout/application-payload.ts";
import { todayInLondon } from "../../clock.ts";
import { type TypedAnswers, validDetails } from "../../draft/valid-details.ts";

/** Sends a changed application, each filled-in form under one key however often it is pressed. `problems` are the server's words. */
export function useSendApplication(orderId: string, applicant: Applicant, onSent: () => void) {
  const [sending, setSending] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const tried = useRef({ asked: "", key: "" });
  const send = async (answers: TypedAnswers): Promise<void> => {
    const valid = validDetails(answers, todayInLondon());
    if (sending || !valid) return;
    const application = applicationOf(valid, applicant);
    const asked = JSON.stringify(application);
    if (tried.current.asked !== asked) tried.current = { asked, key: newIdempotencyKey() };
    setSending(true);
    try {
      await sendApplication(orderId, application, tried.current.key);
      onSent();
    } catch (failure) {
      setProblems(refusalWords(failure));
    } finally {
      setSending(false);
    }
  };
  return { send, sending, problems };
}
