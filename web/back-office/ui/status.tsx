const tones = {
  pending: "bg-pending-ground text-pending",
  processing: "bg-processing-ground text-processing",
  fulfilled: "bg-fulfilled-ground text-fulfilled",
  cancelled: "bg-cancelled-ground text-cancelled",
  failed: "bg-failed-ground text-failed",
} as const;

export type Tone = keyof typeof tones;

const toneOf = (status: string): Tone =>
  status === "pending" || status === "processing" || status === "fulfilled" || status === "cancelled"
    ? status
    : "failed";

/** A status in its colour, small enough for a table. `tone` lends another thing one of the five colours. */
export function Status({ status, tone }: { status: string; tone?: Tone }) {
  return (
    <span
      className={`inline-block rounded-4 px-1.5 py-px text-13 font-[500] whitespace-nowrap ${tones[tone ?? toneOf(status.toLowerCase())]}`}
    >
      {status}
    </span>
  );
}
