import { useRef } from "react";
import { answersToSave, newDraftKey, saveAnswers } from "../../ordering/draft/saved-draft.ts";
import { draftStore } from "../../ordering/draft/use-draft.ts";
import { AddressForm } from "../../ordering/questions/address-form.tsx";

interface SaveFormProps {
  onSent: () => void;
  onCancel: () => void;
}

/** Asks where to send the link, and says what is kept for how long. */
export function SaveForm({ onSent, onCancel }: SaveFormProps) {
  const tried = useRef({ text: "", key: "" });
  const save = async (email: string): Promise<void> => {
    const draft = answersToSave(draftStore.current());
    const text = JSON.stringify([email, draft]);
    // The same again after a lost answer is the same draft.
    if (tried.current.text !== text) tried.current = { text, key: newDraftKey() };
    await saveAnswers(email, tried.current.key, draft);
    onSent();
  };
  return (
    <div className="rounded-4 border border-hairline bg-surface px-4 pt-3 pb-5 sm:px-6">
      <p className="max-w-measure">
        We keep what you have entered so far, encrypted, for 7 days, and email you a link that opens it on any
        device. We don’t keep your signature. We delete everything once your browser shows that the order is
        placed, when you delete it with the link in the email, or after 7 days. We won’t send reminders.
      </p>
      <AddressForm
        id="save-email"
        hint="Anyone with the link can see what you have entered."
        start={draftStore.current().personalDetails.email}
        action="Send the Link"
        look="button-outlined"
        onSend={save}
      />
      <button type="button" className="link mt-2 min-h-11 cursor-pointer" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}
