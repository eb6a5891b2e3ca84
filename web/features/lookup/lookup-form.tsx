import { type FormEvent, useState } from "react";
import { TextField } from "../../ui/text-field.tsx";

interface LookupFormProps {
  searching: boolean;
  initial: string;
  onSearch: (orderNumber: string) => Promise<void>;
}

/** The one field of the lookup. */
export function LookupForm({ searching, initial, onSearch }: LookupFormProps) {
  const [orderNumber, setOrderNumber] = useState(initial);
  const [missing, setMissing] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (searching) return;
    const typed = orderNumber.trim();
    setMissing(typed === "");
    if (typed === "") document.getElementById("order-number")?.focus();
    else void onSearch(typed);
  };
  return (
    <form noValidate onSubmit={submit} className="mt-6 flex max-w-form flex-wrap items-end gap-4">
      <div className="min-w-0 flex-[1_1_16rem]">
        <TextField
          id="order-number"
          label="Order Number"
          hint="It’s in the confirmation we sent you. Capitals, spaces and dashes don’t matter."
          error={missing ? "Order number is required" : undefined}
          figures
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={60}
          value={orderNumber}
          onChange={(event) => setOrderNumber(event.target.value)}
        />
      </div>
      <button type="submit" className="button button-primary" aria-disabled={searching || undefined}>
        {searching ? "Searching..." : "Find Order"}
      </button>
    </form>
  );
}
