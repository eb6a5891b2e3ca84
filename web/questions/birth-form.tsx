import { type ReactNode, useCallback } from "react";
import {
  type BirthDetails,
  type BirthDetailsInput,
  birthDetailsSchema,
  questionBirthDetails,
} from "../../domain/certificates/birth.ts";
import { birthCountries, genders } from "../../domain/forms/options.ts";
import { birthAnswers } from "../draft/certificate-answers.ts";
import { yesNo } from "../ui/radio-field.tsx";
import { optionsOf } from "../ui/select-field.tsx";
import { Bound, BoundRadio, BoundSelect } from "./bound-fields.tsx";
import { DateField } from "./date-field.tsx";
import { type DetailsFormProps, DetailsPage } from "./details-page.tsx";
import { RegistrationFields } from "./registration-fields.tsx";
import { Pair, QuestionCard } from "./step-form.tsx";
import { useDetailsForm } from "./use-details-form.ts";
import type { QuestionForm } from "./use-question-form.ts";

const asMuch = "Enter as much as you know. If registered over 50 years ago, you can enter ‘I don’t know’.";

type CardProps = { form: QuestionForm<BirthDetailsInput> };

/** The questions about a birth. */
export function BirthForm(props: DetailsFormProps) {
  const { answers, onChange } = props;
  const save = useCallback(
    (values: BirthDetailsInput) => onChange({ birth: birthAnswers.parse(values) }),
    [onChange],
  );
  const { form, otherOffice } = useDetailsForm<BirthDetailsInput, BirthDetails>(props, {
    schema: birthDetailsSchema,
    defaults: answers.birth,
    save,
    questionsFor: questionBirthDetails,
  });
  const { field, values, setValue } = form;
  return (
    <DetailsPage {...props} kind="birth" form={form}>
      <PersonCard form={form} />
      <ParentsCard form={form} />
      <RegistrationFields
        type="Birth"
        location={field("registrationLocation")}
        known={field("groReferenceKnown")}
        reference={field("groReference")}
        values={values}
        registered={values.yearRegistered}
        year={{
          field: field("yearRegistered"),
          value: String(values.yearRegistered),
          onYear: (year) => setValue("yearRegistered", year, { shouldValidate: form.attempt > 0 }),
        }}
      >
        {otherOffice.besideLocation}
      </RegistrationFields>
      <ApplicantCard form={form}>{otherOffice.besideApplicant}</ApplicantCard>
    </DetailsPage>
  );
}

/** Who was born, when and where. */
function PersonCard({ form }: CardProps) {
  const { field, values, setValue, attempt } = form;
  return (
    <QuestionCard title="The person">
      <BoundSelect
        field={field("birthCountry")}
        label="Country of birth"
        options={optionsOf(birthCountries)}
      />
      <Bound field={field("placeOfBirth")} label="Place of birth" hint={`Town and hospital. ${asMuch}`} />
      <Pair>
        <Bound field={field("surnameAtBirth")} label="Surname at birth" autoComplete="off" />
        <Bound
          field={field("forenamesAtBirth")}
          label="Forenames at birth"
          hint="As registered, if you know"
          autoComplete="off"
        />
      </Pair>
      <BoundRadio field={field("gender")} label="Gender" options={optionsOf(genders)} />
      <DateField
        label="Date of birth"
        hint="For births registered in the last 50 years, the GRO needs the full date."
        part={(name) => field(`dateOfBirth.${name}`)}
        year={values.dateOfBirth.year}
        onYear={(year) => setValue("dateOfBirth.year", year, { shouldValidate: attempt > 0 })}
      />
    </QuestionCard>
  );
}

/** The parents as registered. */
function ParentsCard({ form }: CardProps) {
  const { field } = form;
  return (
    <QuestionCard title="The parents">
      <Pair>
        <Bound field={field("fatherSurname")} label="Father's surname (optional)" autoComplete="off" />
        <Bound field={field("fatherForename")} label="Father's forename (optional)" autoComplete="off" />
      </Pair>
      <Bound field={field("motherForename")} label="Mother's forename" autoComplete="off" />
      <Pair>
        <Bound
          field={field("motherMaidenName")}
          label="Mother's maiden name"
          hint="Her surname before marriage"
          autoComplete="off"
        />
        <Bound field={field("motherSurname")} label="Mother's surname" autoComplete="off" />
      </Pair>
    </QuestionCard>
  );
}

/** Who applies; an adopted person who wants their own is told whom to call. */
function ApplicantCard({ form: { field }, children }: CardProps & { children: ReactNode }) {
  return (
    <QuestionCard title="You and this certificate">
      <BoundRadio
        field={field("applyingForOwn")}
        label="Are you applying for your own certificate?"
        options={yesNo}
      />
      <BoundRadio field={field("adopted")} label="Is the person adopted?" options={yesNo} />
      {children}
    </QuestionCard>
  );
}
