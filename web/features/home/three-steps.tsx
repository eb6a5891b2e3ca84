import { despatchWorkingDays } from "../../../domain/promise/promise.ts";
import { postWords } from "../../../domain/promise/timetable.ts";

const steps = [
  {
    title: "Answer the questions",
    text: "Five short steps that ask only for what the GRO needs. Your answers stay in this browser tab until you finish.",
    time: "5 steps",
  },
  {
    title: "We check and submit",
    text: "We email you a confirmation, send your application to the GRO, then delete your sensitive details.",
    time: "deleted within 3 minutes of submission",
  },
  {
    title: "It comes by post",
    text: "The GRO prints the certificate and posts it to you. Your tracking page shows its progress.",
    time: `despatched in about ${despatchWorkingDays.standard} working days; next working day with Priority; then ${postWords} by post`,
  },
] as const;

/** The flow as one line with three marks. */
export function ThreeSteps() {
  return (
    <section aria-labelledby="steps" className="border-y border-hairline">
      <div className="page-width py-10">
        <h2 id="steps" className="text-28">
          Three steps, and you can track each one
        </h2>
        <ol className="mt-7 grid gap-y-8 md:grid-cols-3">
          {steps.map(({ title, text, time }, index) => (
            <li
              key={title}
              className="step-mark relative pb-1 pl-9 md:pt-8 md:pr-10 md:pl-0"
              data-first={index === 0}
            >
              <h3 className="text-22">{title}</h3>
              <p className="mt-1.5 max-w-[34ch] text-muted">{text}</p>
              <p className="mt-2 text-14 text-muted">{time}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
