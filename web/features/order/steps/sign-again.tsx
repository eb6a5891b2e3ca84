import { formatPounds } from "../../../../domain/pricing/money.ts";

/** Why the signature and both ticks are gone. `total` is in pounds. */
export function SignAgain({ total }: { total: number }) {
  return (
    <p role="status" className="mt-5 rounded-4 border border-l-4 border-primary bg-surface p-4">
      What you are ordering, or its price, has changed since you signed: the total is now{" "}
      <span className="figures">{formatPounds(Math.round(total * 100))}</span>. Please check it, then sign and
      tick both boxes again.
    </p>
  );
}
