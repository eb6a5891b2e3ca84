const tones: Readonly<Record<string, string>> = {
  Pending: "bg-pending-ground text-pending",
  Processing: "bg-processing-ground text-processing",
  Fulfilled: "bg-fulfilled-ground text-fulfilled",
  Cancelled: "bg-cancelled-ground text-cancelled",
  Failed: "bg-failed-ground text-failed",
};

/** A status in its colour. `words` says it to the customer; unknown statuses are grey. */
export function StatusBadge({
  status,
  words,
  tone = status,
}: {
  status: string;
  words: string;
  tone?: string;
}) {
  return (
    <span
      className={`inline-block rounded-4 px-2.5 py-1 text-14 font-[600] ${tones[tone] ?? "bg-failed-ground text-failed"}`}
    >
      {words}
    </span>
  );
}
