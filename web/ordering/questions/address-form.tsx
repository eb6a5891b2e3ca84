import { type FormEvent, useEffect, useRef, useState } from "react";
import { questionEmail } from "../../../domain/forms/email-typo.ts";
import { email as emailAnswer } from "../../../domain/forms/personal-details.ts";
import { refusalWords } from "../../api/problem.ts";
import { newIdempotencyKey } from "../../api/request.ts";
import { TextField } from "../../ui/fields/field.tsx";

const invalid = "Please enter a valid email address";

interface AddressFormProps {
  /** Of the field. */
  id: string;
  hint?: string;
  /** The address to begin with. */
  start?: string;
  action: string;
  buttonClass: "button-primary" | "button-outlined";
  /** Sends a valid address, with the same key each time. What it throws is shown at the field. */
  onSend: (address: string, idempotencyKey: string) => Promise<void>;
}

/** One email address, and a button that sends it. */
export function AddressForm({ id, hint, start = "", action, buttonClass, onSend }: AddressFormProps) {
  const [address, setAddress] = useState(start);
  const { error, sending, submit } = useAddress(id, onSend);
  const doubt = questionEmail(address);
  const meant = doubt?.suggestion;
  const take = (answer: string): void => {
    setAddress(answer);
    document.getElementById(id)?.focus();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit(address);
  };
  return (
    <form noValidate onSubmit={onSubmit} className="mt-4 flex flex-wrap items-end gap-4">
      <div className="min-w-0 flex-[1_1_16rem]">
        <TextField
          id={id}
          label="Email"
          hint={hint}
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
      <button type="submit" className={`button ${buttonClass}`} aria-disabled={sending || undefined}>
        {sending ? "Sending..." : action}
      </button>
    </form>
  );
}

function useAddress(id: string, onSend: AddressFormProps["onSend"]) {
  const [error, setError] = useState<{ words: string }>();
  const [sending, setSending] = useState(false);
  const tried = useRef({ address: "", key: "" });
  // The field is described by the error: with the focus, both are read out.
  useEffect(() => {
    if (error) document.getElementById(id)?.focus();
  }, [error, id]);
  const submit = async (typed: string): Promise<void> => {
    if (sending) return;
    const { data: address } = emailAnswer.safeParse(typed);
    if (address === undefined) return setError({ words: invalid });
    setError(undefined);
    if (tried.current.address !== address) tried.current = { address, key: newIdempotencyKey() };
    setSending(true);
    try {
      await onSend(address, tried.current.key);
    } catch (failure) {
      setError({ words: refusalWords(failure).join(" ") });
    } finally {
      setSending(false);
    }
  };
  return { error: error?.words, sending, submit };
}
