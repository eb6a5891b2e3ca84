const pounds = new Intl.NumberFormat("en-GB", { style: "currency", currency: "GBP" });

/** Pence as pounds: '£45.00'. */
export const poundsOf = (pence: number): string => pounds.format(pence / 100);

/** An amount in integer pence, in tabular figures; null shows a dash. */
export function Money({ pence }: { pence: number | null }) {
  if (pence === null) return <span className="text-muted">–</span>;
  return <span className="figures whitespace-nowrap">{poundsOf(pence)}</span>;
}
