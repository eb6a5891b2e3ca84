import type { ReviewFact } from "../../../../domain/certificates/review.ts";

interface FactListProps {
  title: string;
  facts: readonly ReviewFact[];
  onChange: () => void;
}

/** A section of the review, with the link that leads to its step and back. */
export function FactList({ title, facts, onChange }: FactListProps) {
  return (
    <section className="rounded-4 border border-hairline bg-surface px-4 py-5 sm:px-6">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-22">{title}</h2>
        <button type="button" className="link min-h-6 cursor-pointer" onClick={onChange}>
          Change<span className="sr-only"> {title.toLowerCase()}</span>
        </button>
      </div>
      <dl className="mt-3">
        {facts.map(({ name, answer }) => (
          <div key={name} className="border-t border-hairline py-2 sm:grid sm:grid-cols-[13rem_1fr] sm:gap-4">
            <dt className="text-muted max-sm:text-14">{name}</dt>
            <dd className="min-w-0 whitespace-pre-line">{answer}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
