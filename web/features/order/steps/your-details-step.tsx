import { useCallback } from "react";
import { country, titles } from "../../../../domain/forms/options.ts";
import {
  type PersonalDetails,
  type PersonalDetailsInput,
  personalDetailsSchema,
  questionPersonalDetails,
} from "../../../../domain/forms/personal-details.ts";
import { personAnswers } from "../../../draft/draft.ts";
import { draftStore } from "../../../draft/use-draft.ts";
import { PageHeading } from "../../../ui/page-heading.tsx";
import { optionsOf, SelectField } from "../../../ui/select-field.tsx";
import { Bound, BoundSelect } from "../form/bound-fields.tsx";
import { QuestionCard, StepForm } from "../form/step-form.tsx";
import { type QuestionForm, useWizardForm } from "../form/use-wizard-form.ts";
import type { StepProps } from "../order-page.tsx";

interface CardProps {
  form: QuestionForm<PersonalDetailsInput>;
}

/** Step 2: who orders, and where the certificate and the mails go. */
export function YourDetailsStep({ navigation }: StepProps) {
  const save = useCallback(
    (values: PersonalDetailsInput) => draftStore.update({ personalDetails: personAnswers.parse(values) }),
    [],
  );
  const form = useWizardForm<PersonalDetailsInput, PersonalDetails>({
    schema: personalDetailsSchema,
    defaults: draftStore.current().personalDetails,
    save,
    questionsFor: questionPersonalDetails,
    onValid: (details) => {
      // Tidied as the server tidies it, so that the review shows what will be sent.
      draftStore.update({ personalDetails: personAnswers.parse(details) });
      navigation.next();
    },
  });
  return (
    <>
      <PageHeading title="Your Details" error={form.errors.length > 0}>
        Your Details
      </PageHeading>
      <p className="mt-3 max-w-measure text-muted">
        The General Register Office posts the certificate to this address, and we write to this e‑mail address
        about it.
      </p>
      <StepForm
        {...form}
        action="Continue to Certificate Details"
        onSubmit={form.submit}
        onPrevious={navigation.previous}
      >
        <PersonCard form={form} />
        <AddressCard form={form} />
        <PhoneCard form={form} />
      </StepForm>
    </>
  );
}

/** Name, company and e-mail. */
function PersonCard({ form }: CardProps) {
  const { field } = form;
  return (
    <QuestionCard title="You">
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
      <div className="grid gap-6 sm:grid-cols-2">
        <Bound field={field("firstName")} label="First name" autoComplete="given-name" />
        <Bound field={field("lastName")} label="Last name" autoComplete="family-name" />
      </div>
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
    </QuestionCard>
  );
}

/** Where the certificate goes. */
function AddressCard({ form }: CardProps) {
  const { field } = form;
  return (
    <QuestionCard title="Your address">
      <Bound field={field("address.line1")} label="Address line 1" autoComplete="address-line1" />
      <Bound field={field("address.line2")} label="Address line 2 (optional)" autoComplete="address-line2" />
      <div className="grid gap-6 sm:grid-cols-2">
        <Bound field={field("address.town")} label="Town/City" autoComplete="address-level2" />
        <Bound field={field("address.county")} label="County" autoComplete="address-level1" />
      </div>
      <div className="grid gap-6 sm:grid-cols-2">
        <Bound field={field("address.postcode")} label="Postcode" autoComplete="postal-code" />
        <SelectField
          id="address-country"
          label="Country"
          options={optionsOf([country])}
          value={country}
          disabled
          autoComplete="country-name"
        />
      </div>
      <p className="text-14 text-muted">This service is for addresses in the United Kingdom only.</p>
    </QuestionCard>
  );
}

/** Where the GRO's question can be passed on. */
function PhoneCard({ form }: CardProps) {
  const { field } = form;
  return (
    <QuestionCard title="Your phone">
      <div className="grid items-end gap-6 sm:grid-cols-2">
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
      </div>
    </QuestionCard>
  );
}
