import { type ReactNode, useCallback } from "react";
import { country, titles } from "../../../domain/forms/options.ts";
import {
  type PersonalDetails,
  type PersonalDetailsInput,
  personalDetailsSchema,
  questionPersonalDetails,
} from "../../../domain/forms/personal-details.ts";
import { optionsOf, SelectField } from "../../ui/fields/choice-fields.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import { type PersonAnswers, personAnswers } from "../draft/draft.ts";
import { Bound, BoundRadio, BoundSelect, type QuestionForm, useQuestionForm } from "./question-form.tsx";
import { Pair, QuestionCard, StepForm } from "./step-form.tsx";

interface CardProps {
  form: QuestionForm<PersonalDetailsInput>;
}

interface PersonFormProps {
  /** The page's heading, and the name of its tab. */
  title: string;
  /** Text under the heading. */
  lead: (toSomeoneElse: boolean) => ReactNode;
  /** `reach` asks only for email address, phones and reference, and keeps the other answers. */
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
      {lead(isForSomeoneElse(form))}
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
        {parts === "all" && <DeliveryCard form={form} />}
        <PhoneCard form={form} />
        <ReferenceCard form={form} />
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
function ReferenceCard({ form }: CardProps) {
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
