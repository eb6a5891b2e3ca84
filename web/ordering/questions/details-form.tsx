import { type FormEvent, type ReactNode, useRef } from "react";
import type { DefaultValues, FieldValues } from "react-hook-form";
import type { z } from "zod";
import type { CalendarDate } from "../../../domain/calendar-date.ts";
import { registrationLocations } from "../../../domain/forms/options.ts";
import type { Question } from "../../../domain/forms/question.ts";
import {
  otherOfficeFor,
  phoneFor,
  type RegistrationOffice,
} from "../../../domain/forms/registration-office.ts";
import { todayInLondon } from "../../ui/dates.ts";
import type { SummaryError } from "../../ui/fields/error-summary.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import type { CertificateAnswers } from "../draft/certificate-answers.ts";
import type { DraftCertificate } from "../draft/draft.ts";
import { useQuestionForm } from "./question-form.tsx";
import { StepForm } from "./step-form.tsx";

/** Props of a certificate form, from step 3 or a change to an order. */
export interface DetailsFormProps {
  /** The name of the page's tab. */
  title: string;
  /** Text under the heading. */
  lead?: ReactNode;
  /** Initial answers. */
  answers: CertificateAnswers;
  /** The other certificates of the order, whose answers are offered. */
  others?: readonly DraftCertificate[];
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

/** What one type's form has of its own. */
interface DetailsRules<Input extends FieldValues, Output> {
  schema: (today: CalendarDate) => z.ZodType<Output, Input>;
  defaults: DefaultValues<Input>;
  save: (values: Input) => void;
  questionsFor: (values: Input, today: CalendarDate) => readonly Question[];
}

/**
 * What the forms of all types share: the day their rules go by, and the end of an order for another office's records.
 */
export function useDetailsForm<Input extends FieldValues & DecidingAnswers, Output>(
  { onDone, whenStopped }: Pick<DetailsFormProps, "onDone" | "whenStopped">,
  { schema, defaults, save, questionsFor }: DetailsRules<Input, Output>,
) {
  const today = todayInLondon();
  const form = useQuestionForm<Input, Output>({
    schema: schema(today),
    defaults,
    save,
    questionsFor: (values) => questionsFor(values, today),
    onValid: () => onwards(onDone),
  });
  const { onwards, ...notices } = useOtherOffice(form.values, whenStopped);
  const otherOffice: OtherOffice = notices;
  return { form, otherOffice };
}

/** Answers that may lead to another office. The last two are for births only. */
interface DecidingAnswers {
  registrationLocation: string;
  adopted?: string | boolean | undefined;
  applyingForOwn?: string | boolean | undefined;
}

/** Names the right office, beside the decisive answer. */
interface OtherOffice {
  besideLocation: ReactNode;
  besideApplicant: ReactNode;
}

/**
 * Stops an order that the GRO would not accept from us. `onwards` continues only if there is no objection, and
 * otherwise focuses the notice.
 */
function useOtherOffice(
  answers: DecidingAnswers,
  aftermath: string,
): OtherOffice & { onwards: (go: () => void) => void } {
  const box = useRef<HTMLDivElement>(null);
  const known = registrationLocations.find((name) => name === answers.registrationLocation);
  const elsewhere = known && otherOfficeFor(known);
  const isYes = (answer: string | boolean | undefined) => answer === "yes" || answer === true;
  const byPhone = phoneFor({
    adopted: isYes(answers.adopted),
    applyingForOwn: isYes(answers.applyingForOwn),
  });
  const noticeOf = (office: RegistrationOffice) => <Notice office={office} aftermath={aftermath} box={box} />;
  return {
    besideLocation: elsewhere && noticeOf(elsewhere),
    besideApplicant: !elsewhere && byPhone && noticeOf(byPhone),
    onwards: (go) => {
      if (!elsewhere && !byPhone) return go();
      box.current?.scrollIntoView({ block: "center" });
      box.current?.focus({ preventScroll: true });
    },
  };
}

interface NoticeProps {
  office: RegistrationOffice;
  aftermath: string;
  box: React.Ref<HTMLDivElement>;
}

function Notice({ office, aftermath, box }: NoticeProps) {
  return (
    <div ref={box} tabIndex={-1} role="alert" className="rounded-4 border-2 border-danger p-4">
      <p className="font-[600]">We cannot order this certificate</p>
      <p className="mt-1">
        {office.advice} {aftermath}
      </p>
      <a className="link mt-2 inline-block" href={office.link}>
        {office.name}
      </a>
    </div>
  );
}
