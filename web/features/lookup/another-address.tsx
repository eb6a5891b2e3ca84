import { type FormEvent, useRef, useState } from "react";
import { changeContact } from "../../../contract/orders/own-records.ts";
import { questionEmail } from "../../../domain/forms/email-typo.ts";
import { email as emailAnswer } from "../../../domain/forms/personal-details.ts";
import { newIdempotencyKey } from "../../api/idempotency-key.ts";
import { refusalWords } from "../../api/refusal-words.ts";
import { send } from "../../api/send.ts";
import { TextField } from "../../ui/text-field.tsx";

const boxId = "new-email";
const invalid = "Please enter a valid email address";

/** The confirmation came back: the holder gives another address, and it goes again. Nothing is sent to the GRO before it arrived. */
export function AnotherAddress({ orderId, onCorrected }: { orderId: string; onCorrected: () => void }) {
  const [address, setAddress] = useState("");
  const { error, sending, correct } = useCorrection(orderId, onCorrected);
  const doubt = questionEmail(address);
  const meant = doubt?.suggestion;
  const take = (answer: string): void => {
    setAddress(answer);
    document.getElementById(boxId)?.focus();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void correct(address);
  };
  return (
    <section
      aria-labelledby="another-address"
      className="no-print mt-8 max-w-form rounded-4 border border-l-4 border-danger bg-surface p-5 sm:p-6"
    >
      <h3 id="another-address" className="text-22">
        Our confirmation didn’t reach you
      </h3>
      <p className="mt-2 max-w-measure">
        Our email to you could not be delivered. We can send your application only after the confirmation has
        reached you, so please give us another email address.
      </p>
      <form noValidate onSubmit={submit} className="mt-4 flex flex-wrap items-end gap-4">
        <div className="min-w-0 flex-[1_1_16rem]">
          <TextField
            id={boxId}
            label="Email"
            error={error}
            question={doubt?.message}
            suggestion={meant === undefined ? undefined : { answer: meant, take: () => take(meant) }}
            type="email"
            autoComplete="email"
            spellCheck={false}
            maxLength={254}
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
        </div>
        <button type="submit" className="button button-primary" aria-disabled={sending || undefined}>
          {sending ? "Sending..." : "Send Confirmation Again"}
        </button>
      </form>
    </section>
  );
}

function useCorrection(orderId: string, onCorrected: () => void) {
  const [error, setError] = useState<string>();
  const [sending, setSending] = useState(false);
  const tried = useRef({ address: "", key: "" });
  const correct = async (typed: string): Promise<void> => {
    if (sending) return;
    const { data: address } = emailAnswer.safeParse(typed);
    setError(address === undefined ? invalid : undefined);
    if (address === undefined) return document.getElementById(boxId)?.focus();
    if (tried.current.address !== address) tried.current = { address, key: newIdempotencyKey() };
    setSending(true);
    try {
      const said = { params: { id: orderId }, body: { email: address } };
      await send(changeContact, said, { idempotencyKey: tried.current.key });
      onCorrected();
    } catch (failure) {
      setError(refusalWords(failure).join(" "));
    } finally {
      setSending(false);
    }
  };
  return { error, sending, correct };
}
