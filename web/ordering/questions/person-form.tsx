import { type ReactNode, useCallback } from "react";
import { country, titles } from "../../../domain/forms/options.ts";
import {
  type PersonalDetails,
  type PersonalDetailsInput,
  personalDetailsSchema,
  questionPersonalDetails,
} from "../../../domain/forms/personal-details.ts";
import { optionsOf, SelectField } from "../../ui/fields/select-field.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import { type PersonAnswers, personAnswers } from "../draft/draft.ts";
import { Bound, BoundSelect } from "./bound-fields.tsx";
import { Pair, QuestionCard, StepForm } from "./step-form.tsx";
import { type QuestionForm, useQuestionForm } from "./use-question-form.ts";

interface CardProps {
  form: QuestionForm<PersonalDetailsInput>;
}

interface PersonFormProps {
  /** The page's heading, and the name of its tab. */
  title: string;
  /** Text under the heading. */
  lead: ReactNode;
  /** `reach` asks only for email address and phones, and keeps the other answers. */
  parts?: "all" | "reach";
  /** Initial answers. */
  answers: PersonAnswers;
  /** Saves input as it is typed. Must be a stable function. */
  onChange: (answers: PersonAnswers) => void;
  /** The words of the button that moves on. */
  action: string;
  /** Called with complete details, normalised like on the server. */
  onDone: (details: PersonalDetails) => void;
  onPrevious?: () => void;
}

/** Your Details: the customer, and where certificate and emails go. */
export function PersonForm(props: PersonFormProps) {
  const { title, lead, parts = "all", answers, onChange, action, onDone, onPrevious } = props;
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
        <QuestionCard title={parts === "all" ? "You" : "Your email address"}>
          {parts === "all" && <NameFields form={form} />}
          <EmailFields form={form} />
        </QuestionCard>
        {parts === "all" && <AddressCard form={form} />}
        <PhoneCard form={form} />
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
function EmailFields({ form }: CardProps) {
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

/** Where the certificate goes. */
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

/** Phone numbers, for passing on a question from the GRO. */
function PhoneCard({ form }: CardProps) {
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
