import { type FormEvent, type ReactNode, useCallback } from "react";
import { country, titles } from "../../../domain/forms/options.ts";
import {
  type PersonalDetails,
  type PersonalDetailsInput,
  personalDetailsSchema,
  questionPersonalDetails,
  questionReachDetails,
  type ReachDetails,
  type ReachDetailsInput,
  reachDetailsSchema,
} from "../../../domain/forms/personal-details.ts";
import { optionsOf, SelectField } from "../../ui/fields/choice-fields.tsx";
import type { SummaryError } from "../../ui/fields/error-summary.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import { type PersonAnswers, personAnswers } from "../draft/draft.ts";
import { Bound, BoundRadio, BoundSelect, type QuestionForm, useQuestionForm } from "./question-form.tsx";
import { Pair, QuestionCard, StepForm } from "./step-form.tsx";

interface CardProps {
  form: QuestionForm<PersonalDetailsInput>;
}

interface ReachCardProps {
  form: Pick<QuestionForm<ReachDetailsInput>, "field">;
}

interface PageProps {
  /** The page's heading, and the name of its tab. */
  title: string;
  /** The words of the button that moves on. */
  action: string;
  onPrevious?: () => void;
}

interface PersonFormProps extends PageProps {
  /** Text under the heading. */
  lead: (toSomeoneElse: boolean) => ReactNode;
  /** Initial answers. */
  answers: PersonAnswers;
  /** Saves input as it is typed. Must be a stable function. */
  onChange: (answers: PersonAnswers) => void;
  /** Called with complete details, normalised like on the server. */
  onDone: (details: PersonalDetails) => void;
}

/** Your Details: the customer, and where certificate and emails go. */
export function PersonForm({ lead, answers, onChange, onDone, ...page }: PersonFormProps) {
  const save = useCallback(
    (values: PersonalDetailsInput) => onChange(personAnswers.parse(values)),
    [onChange],
  );
  const form = useQuestionForm<PersonalDetailsInput, PersonalDetails>({
    schema: personalDetailsSchema,
    defaults: answers,
    save,
    questionsFor: questionPersonalDetails,
    onValid: onDone,
  });
  return (
    <PersonPage {...page} lead={lead(isForSomeoneElse(form))} form={form}>
      <QuestionCard title="You">
        <NameFields form={form} />
        <EmailFields form={form} />
      </QuestionCard>
      <AddressCard form={form} />
      <DeliveryCard form={form} />
      <PhoneCard form={form} />
      <ReferenceCard form={form} />
    </PersonPage>
  );
}

interface ReachFormProps extends PageProps {
  /** Text under the heading. */
  lead: ReactNode;
  /** Initial answers; the form asks for some of them. */
  answers: PersonAnswers;
  /** Called with complete details, normalised like on the server. */
  onDone: (details: ReachDetails) => void;
}

const keepNothing = (): void => undefined;

/** The part of Your Details by which we reach the customer. */
export function ReachForm({ lead, answers, onDone, ...page }: ReachFormProps) {
  const form = useQuestionForm<ReachDetailsInput, ReachDetails>({
    schema: reachDetailsSchema,
    defaults: answers,
    save: keepNothing,
    questionsFor: questionReachDetails,
    onValid: onDone,
  });
  return (
    <PersonPage {...page} lead={lead} form={form}>
      <QuestionCard title="Your email address">
        <EmailFields form={form} />
      </QuestionCard>
      <PhoneCard form={form} />
      <ReferenceCard form={form} />
    </PersonPage>
  );
}

interface PersonPageProps extends PageProps {
  lead: ReactNode;
  form: {
    errors: readonly SummaryError[];
    attempt: number;
    submit: (event: FormEvent<HTMLFormElement>) => void;
  };
  children: ReactNode;
}

function PersonPage({ title, lead, action, onPrevious, form, children }: PersonPageProps) {
  return (
    <>
      <PageHeading title={title} error={form.errors.length > 0}>
        {title}
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

/** Name and company. */
function NameFields({ form }: CardProps) {
  const { field } = form;
  return (
    <>
      <div className="grid gap-6 sm:grid-cols-[8rem_1fr]">
        <BoundSelect
          field={field("title")}
          label="Title"
          options={optionsOf(titles)}
          placeholder="Select"
          autoComplete="honorific-prefix"
        />
        <Bound field={field("companyName")} label="Company (optional)" autoComplete="organization" />
      </div>
      <Pair>
        <Bound field={field("firstName")} label="First name" autoComplete="given-name" />
        <Bound field={field("lastName")} label="Last name" autoComplete="family-name" />
      </Pair>
    </>
  );
}

/** The email address, twice. */
function EmailFields({ form }: ReachCardProps) {
  const { field } = form;
  return (
    <>
      <Bound
        field={field("email")}
        label="Email"
        hint="For the confirmation and every change. We send no marketing."
        type="email"
        autoComplete="email"
        spellCheck={false}
      />
      <Bound
        field={field("confirmEmail")}
        label="Confirm email"
        type="email"
        autoComplete="email"
        spellCheck={false}
      />
    </>
  );
}

/** Where the customer lives, and where the certificate goes unless it is for another person. */
function AddressCard({ form }: CardProps) {
  const { field } = form;
  return (
    <QuestionCard title="Your address">
      <Bound field={field("address.line1")} label="Address line 1" autoComplete="address-line1" />
      <Bound field={field("address.line2")} label="Address line 2 (optional)" autoComplete="address-line2" />
      <Pair>
        <Bound field={field("address.town")} label="Town/City" autoComplete="address-level2" />
        <Bound field={field("address.county")} label="County" autoComplete="address-level1" />
      </Pair>
      <Pair from="top">
        <Bound field={field("address.postcode")} label="Postcode" autoComplete="postal-code" />
        <SelectField
          id="address-country"
          label="Country"
          options={optionsOf([country])}
          value={country}
          disabled
          autoComplete="country-name"
        />
      </Pair>
      <p className="text-14 text-muted">This service is for addresses in the United Kingdom only.</p>
    </QuestionCard>
  );
}

const isForSomeoneElse = ({ values }: Pick<QuestionForm<PersonalDetailsInput>, "values">): boolean =>
  values.recipient?.postTo === "someone else";

const deliveryOptions = [
  { value: "me", words: "Me" },
  { value: "someone else", words: "Someone else, such as a relative or solicitor" },
] as const;

/** The recipient of the certificate, if not the customer. */
function DeliveryCard({ form }: CardProps) {
  const { field } = form;
  return (
    <QuestionCard title="Delivery">
      <BoundRadio
        field={field("recipient.postTo")}
        label="Post the certificate to"
        options={deliveryOptions}
      />
      {isForSomeoneElse(form) && (
        <>
          <p className="text-14 text-muted">
            We give this name and address to the General Register Office. Our emails go only to you.
          </p>
          <Bound field={field("recipient.fullName")} label="Recipient’s full name" autoComplete="off" />
          <Bound field={field("recipient.line1")} label="Recipient’s address line 1" autoComplete="off" />
          <Bound
            field={field("recipient.line2")}
            label="Recipient’s address line 2 (optional)"
            autoComplete="off"
          />
          <Pair>
            <Bound field={field("recipient.town")} label="Recipient’s town/city" autoComplete="off" />
            <Bound field={field("recipient.county")} label="Recipient’s county" autoComplete="off" />
          </Pair>
          <Pair from="top">
            <Bound field={field("recipient.postcode")} label="Recipient’s postcode" autoComplete="off" />
          </Pair>
        </>
      )}
    </QuestionCard>
  );
}

/** A reference of the customer's own. */
function ReferenceCard({ form }: ReachCardProps) {
  return (
    <QuestionCard title="Your records">
      <Bound
        field={form.field("customerReference")}
        label="Your reference (optional)"
        hint="For your own records, such as a case number. It appears on our emails and documents."
        autoComplete="off"
        spellCheck={false}
      />
    </QuestionCard>
  );
}

/** Phone numbers, for passing on a question from the GRO. */
function PhoneCard({ form }: ReachCardProps) {
  const { field } = form;
  return (
    <QuestionCard title="Your phone">
      <Pair>
        <Bound
          field={field("phone.daytime")}
          label="Daytime phone"
          hint="In case the GRO has a question"
          type="tel"
          autoComplete="tel"
        />
        <Bound
          field={field("phone.evening")}
          label="Evening phone (optional)"
          type="tel"
          autoComplete="tel"
        />
      </Pair>
    </QuestionCard>
  );
}
