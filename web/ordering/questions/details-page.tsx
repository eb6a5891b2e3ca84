import type { FormEvent, ReactNode } from "react";
import type { SummaryError } from "../../ui/fields/error-summary.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import type { CertificateAnswers } from "../draft/certificate-answers.ts";
import { StepForm } from "./step-form.tsx";

/** Props of a certificate form, from step 3 or a change to an order. */
export interface DetailsFormProps {
  /** The name of the page's tab. */
  title: string;
  /** Text under the heading. */
  lead?: ReactNode;
  /** Initial answers. */
  answers: CertificateAnswers;
  /** Saves input as it is typed. Must be a stable function. */
  onChange: (part: Partial<CertificateAnswers>) => void;
  /** The words of the button that moves on. */
  action: string;
  /** Shown with an objection: what happens to the order. */
  whenStopped: string;
  /** Called with complete answers that we can order by. */
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

/** The heading and frame of every certificate form. */
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
