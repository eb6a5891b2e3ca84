import type { FormEvent, ReactNode } from "react";
import type { SummaryError } from "../../ui/fields/error-summary.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import type { CertificateAnswers } from "../draft/certificate-answers.ts";
import { StepForm } from "./step-form.tsx";

/** What a form about one certificate gets from the page that asks: step 3, or a change to an order. */
export interface DetailsFormProps {
  /** The name of the page's tab. */
  title: string;
  /** What is said under the heading. */
  lead?: ReactNode;
  /** What has been answered before. */
  answers: CertificateAnswers;
  /** Keeps what has been typed so far. Must stay the same function from one render to the next. */
  onChange: (part: Partial<CertificateAnswers>) => void;
  /** The words of the button that moves on. */
  action: string;
  /** What became of the order where the answers are none that we can order by. */
  whenStopped: string;
  /** Called once the answers are complete, and we can order by them. */
  onDone: () => void;
  onPrevious?: () => void;
}

interface DetailsPageProps extends Pick<DetailsFormProps, "title" | "lead" | "action" | "onPrevious"> {
  kind: "birth" | "death" | "marriage" | "adoption";
  form: {
    errors: readonly SummaryError[];
    attempt: number;
    submit: (event: FormEvent<HTMLFormElement>) => void;
  };
  children: ReactNode;
}

/** The heading and the frame that every form about a certificate has. */
export function DetailsPage({ title, lead, action, onPrevious, kind, form, children }: DetailsPageProps) {
  return (
    <>
      <PageHeading title={title} error={form.errors.length > 0}>
        Whose {kind} certificate is it?
      </PageHeading>
      {lead}
      <StepForm
        errors={form.errors}
        attempt={form.attempt}
        action={action}
        onSubmit={form.submit}
        {...(onPrevious ? { onPrevious } : {})}
      >
        {children}
      </StepForm>
    </>
  );
}
