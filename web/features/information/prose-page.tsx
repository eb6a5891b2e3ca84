import type { ReactNode } from "react";
import type { Agreement } from "../../../domain/forms/agreements.ts";
import {
  despatchWords,
  postWords,
  processingMeaning,
  processingWords,
  submissionWords,
} from "../../../domain/promise/timetable.ts";
import { useSubmittedByHand } from "../../site/config.ts";
import { londonDay } from "../../ui/dates.ts";
import { PageHeading } from "../../ui/page-heading.tsx";

/** A page of text at reading width. */
export function ProsePage({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="page-width py-12 md:py-16">
      <PageHeading title={title}>{title}</PageHeading>
      {lead && <p className="mt-4 max-w-measure text-18 text-muted">{lead}</p>}
      <div className="prose-page mt-6">{children}</div>
    </div>
  );
}

/** Which version of a text this is, and of when. */
export function Dated({ text, children }: { text: Agreement; children?: ReactNode }) {
  return (
    <>
      Version {text.version}, last updated{" "}
      <time dateTime={text.datedOn}>{londonDay(`${text.datedOn}T12:00:00Z`)}</time>. {children}
    </>
  );
}

/** From the payment to the letter box, for both service levels; the same words wherever it is shown. */
export function Timetable() {
  const byHand = useSubmittedByHand();
  return (
    <>
      <ul>
        <li>Submission: {submissionWords(byHand)}.</li>
        <li>Despatch with Standard: {despatchWords.standard}.</li>
        <li>Despatch with Priority: {despatchWords.priority}.</li>
        <li>Arrival by post: usually {postWords} after despatch.</li>
      </ul>
      <p>
        Standard: <Processing level="standard" />. Priority: <Processing level="priority" />.{" "}
        {processingMeaning}
      </p>
    </>
  );
}

/** A range must not break at its hyphen; on a phone the line is too short for it. */
const Processing = ({ level }: { level: "standard" | "priority" }) => (
  <span className="sm:whitespace-nowrap">{processingWords(level)}</span>
);
