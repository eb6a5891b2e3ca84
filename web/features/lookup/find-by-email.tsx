import { type FormEvent, useEffect, useRef, useState } from "react";
import { mailOrderLinks } from "../../../contract/orders/tracking.ts";
import { questionEmail } from "../../../domain/forms/email-typo.ts";
import { email as emailAnswer } from "../../../domain/forms/personal-details.ts";
import { newIdempotencyKey } from "../../api/idempotency-key.ts";
import { refusalWords } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { TextField } from "../../ui/fields/text-field.tsx";

const boxId = "orders-of";
const invalid = "Please enter a valid email address";

/** For customers without their order number. What is found goes to the address by mail; the page never says. */
export function FindByEmail() {
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(false);
  return (
    <details
      className="question needs-script mt-6 max-w-form"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="cursor-pointer py-3">I don’t have my order number</summary>
      {open &&
        (asked ? <Asked onAgain={() => setAsked(false)} /> : <EmailForm onAsked={() => setAsked(true)} />)}
    </details>
  );
}

function EmailForm({ onAsked }: { onAsked: () => void }) {
  const [address, setAddress] = useState("");
  const { error, sending, ask } = useLinks(onAsked);
  const doubt = questionEmail(address);
  const meant = doubt?.suggestion;
  const take = (answer: string): void => {
    setAddress(answer);
    document.getElementById(boxId)?.focus();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void ask(address);
  };
  return (
    <div className="pb-5 pl-6">
      <p className="max-w-measure">
        We can email you links to the orders you placed in the last year. Once we have deleted the contact
        details of an order, we can no longer find it by email address.
      </p>
      <form noValidate onSubmit={submit} className="mt-4 flex flex-wrap items-end gap-4">
        <div className="min-w-0 flex-[1_1_16rem]">
          <TextField
            id={boxId}
            label="Email"
            hint="The address you gave when you ordered."
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
        <button type="submit" className="button button-outlined" aria-disabled={sending || undefined}>
          {sending ? "Sending..." : "Email Me Links"}
        </button>
      </form>
    </div>
  );
}

/** The same words whether or not there are any orders. */
function Asked({ onAgain }: { onAgain: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  // The form that was sent is gone: what took its place is read out.
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} role="status" className="pb-5 pl-6">
      <p className="font-[600]">Check your email</p>
      <p className="mt-1 max-w-measure">
        If we can find orders for that address, links to them will arrive within a few minutes. We send one
        such email every ten minutes at most. If nothing comes, check your spam folder, or try another
        address.
      </p>
      <button type="button" className="link mt-2 min-h-6 cursor-pointer" onClick={onAgain}>
        Use another address
      </button>
    </div>
  );
}

function useLinks(onAsked: () => void) {
  const [error, setError] = useState<string | undefined>(undefined);
  const [sending, setSending] = useState(false);
  const ask = async (typed: string): Promise<void> => {
    const { data: email, success } = emailAnswer.safeParse(typed);
    setError(success ? undefined : invalid);
    if (!success) document.getElementById(boxId)?.focus();
    if (!success || sending) return;
    setSending(true);
    try {
      await send(mailOrderLinks, { body: { email } }, { idempotencyKey: newIdempotencyKey() });
      onAsked();
    } catch (failure) {
      setError(refusalWords(failure).join(" "));
    } finally {
      setSending(false);
    }
  };
  return { error, sending, ask };
}
