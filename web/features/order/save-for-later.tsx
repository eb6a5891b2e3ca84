import { useEffect, useRef, useState } from "react";
import { ApiError } from "../../api/problem.ts";
import { draftStore } from "../../ordering/current-order.ts";
import { answersToSave, newDraftKey, saveAnswers } from "../../ordering/draft/saved-draft.ts";
import { AddressForm } from "../../ordering/questions/address-form.tsx";

type Progress = "closed" | "open" | "sent";

/** Below a step: emails a link that opens the order on any device. Never offered by itself. */
export function SaveForLater() {
  const [progress, setProgress] = useState<Progress>("closed");
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setProgress("closed");
    button.current?.focus();
  };
  return (
    <div className="mt-3">
      <button
        ref={button}
        type="button"
        className="link min-h-11 cursor-pointer"
        aria-expanded={progress !== "closed"}
        aria-controls="save-for-later"
        onClick={() => setProgress(progress === "open" ? "closed" : "open")}
      >
        Email me a link to finish later
      </button>
      <div id="save-for-later" className="max-w-form">
        {progress === "sent" && <Sent />}
        {progress === "open" && <SaveForm onSent={() => setProgress("sent")} onCancel={close} />}
      </div>
    </div>
  );
}

/** The same words whether or not the address exists. */
function Sent() {
  const box = useRef<HTMLDivElement>(null);
  // The form that was sent is gone: what took its place is read out.
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} role="status" className="py-2">
      <p className="font-[600]">Check your email</p>
      <p className="mt-1 max-w-measure">
        The link should arrive within a few minutes, and works for 7 days. It opens your answers as they are
        now: if you change them here, ask for a new link, which will replace this one. If nothing arrives,
        check your spam folder and the address. We send at most 5 links an hour to one address.
      </p>
    </div>
  );
}

interface SaveFormProps {
  onSent: () => void;
  onCancel: () => void;
}

/** Asks where to send the link, and says what is kept for how long. */
function SaveForm({ onSent, onCancel }: SaveFormProps) {
  const tried = useRef({ text: "", key: "" });
  const [tooLong, setTooLong] = useState(false);
  const save = async (email: string): Promise<void> => {
    const draft = answersToSave(draftStore.current());
    const text = JSON.stringify([email, draft]);
    // The same again after a lost answer is the same draft.
    if (tried.current.text !== text) tried.current = { text, key: newDraftKey() };
    setTooLong(false);
    try {
      await saveAnswers(email, tried.current.key, draft);
    } catch (failure) {
      if (!refusesAnswers(failure)) throw failure;
      setTooLong(true);
      return;
    }
    onSent();
  };
  return (
    <div className="rounded-4 border border-hairline bg-surface px-4 pt-3 pb-5 sm:px-6">
      <p className="max-w-measure">
        We’ll keep what you have entered so far, encrypted, for 7 days, and email you a link that opens it on
        any device. We won’t keep your signature. We delete it all once you have paid for the order, if you
        delete it with the link in the email, or after 7 days. We won’t send reminders.
      </p>
      <AddressForm
        id="save-email"
        hint="Anyone with the link can see what you have entered."
        start={draftStore.current().personalDetails.email}
        action="Send the Link"
        buttonClass="button-outlined"
        onSend={save}
      />
      {tooLong && (
        <p role="alert" className="mt-3 max-w-measure text-danger">
          Your answers are too long to save. Use 200 characters or fewer in each box, then send the link
          again.
        </p>
      )}
      <button type="button" className="link mt-2 min-h-11 cursor-pointer" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}

/** The wizard's own answers are of the right kind, but may be too long, one of them or all together. */
const refusesAnswers = (failure: unknown): boolean =>
  failure instanceof ApiError &&
  (failure.code === "body-too-large" || failure.fields.some(({ field }) => /^draft\b/.test(field)));
