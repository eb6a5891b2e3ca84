import { type ReactNode, useCallback } from "react";
import {
  type BirthDetails,
  type BirthDetailsInput,
  birth,
  birthDetailsSchema,
  questionBirthDetails,
} from "../../../../domain/certificates/birth.ts";
import { birthCountries, genders } from "../../../../domain/forms/options.ts";
import { optionsOf, yesNo } from "../../../ui/fields/choice-fields.tsx";
import { birthAnswers } from "../../draft/certificate-answers.ts";
import type { DraftCertificate } from "../../draft/draft.ts";
import { DateField } from "../date-fields.tsx";
import { type DetailsFormProps, DetailsPage, useDetailsForm } from "../details-form.tsx";
import { ParentsOffers, SurnameOffers } from "../known-answers.tsx";
import type { QuestionForm } from "../question-form.tsx";
import { asker, Bound, BoundRadio, BoundSelect, wordsOf } from "../question-form.tsx";
import { RegistrationFields } from "../registration-fields.tsx";
import { Pair, QuestionCard } from "../step-form.tsx";

type CardProps = { form: QuestionForm<BirthDetailsInput> };
type PeopleProps = CardProps & { others: readonly DraftCertificate[] };

const surname = ["surnameAtBirth"] as const;
const parents = [
  "fatherSurname",
  "fatherForename",
  "motherForename",
  "motherMaidenName",
  "motherSurname",
] as const;

/** Answers a question with what another certificate says. */
const using =
  ({ setValue, attempt }: QuestionForm<BirthDetailsInput>) =>
  (name: (typeof surname | typeof parents)[number], answer: string): void =>
    setValue(name, answer, { shouldValidate: attempt > 0 });

/** The questions about a birth. */
export function BirthForm(props: DetailsFormProps) {
  const { answers, others = [], onChange } = props;
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
      <PersonCard form={form} others={others} />
      <ParentsCard form={form} others={others} />
      <RegistrationFields
        type="Birth"
        location={field("registrationLocation")}
        known={field("groReferenceKnown")}
        reference={field("groReference")}
        values={values}
        registered={values.yearRegistered}
        names={[values.surnameAtBirth, values.forenamesAtBirth, values.motherMaidenName]}
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
function PersonCard({ form, others }: PeopleProps) {
  const { field, values, setValue, attempt } = form;
  const ask = asker(form, birth.fields);
  return (
    <QuestionCard title="The person">
      <BoundSelect {...ask("birthCountry")} options={optionsOf(birthCountries)} />
      <Bound {...ask("placeOfBirth")} />
      <SurnameOffers others={others} names={surname} values={form.values} onUse={using(form)} />
      <Pair>
        <Bound {...ask("surnameAtBirth")} autoComplete="off" />
        <Bound {...ask("forenamesAtBirth")} autoComplete="off" />
      </Pair>
      <BoundRadio {...ask("gender")} options={optionsOf(genders)} />
      <DateField
        {...wordsOf(birth.fields.dateOfBirth)}
        part={(name) => field(`dateOfBirth.${name}`)}
        year={values.dateOfBirth.year}
        onYear={(year) => setValue("dateOfBirth.year", year, { shouldValidate: attempt > 0 })}
      />
    </QuestionCard>
  );
}

/** The parents as registered. */
function ParentsCard({ form, others }: PeopleProps) {
  const ask = asker(form, birth.fields);
  return (
    <QuestionCard title="The parents">
      <ParentsOffers others={others} names={parents} values={form.values} onUse={using(form)} />
      <Pair>
        <Bound {...ask("fatherSurname")} autoComplete="off" />
        <Bound {...ask("fatherForename")} autoComplete="off" />
      </Pair>
      <Bound {...ask("motherForename")} autoComplete="off" />
      <Pair>
        <Bound {...ask("motherMaidenName")} autoComplete="off" />
        <Bound {...ask("motherSurname")} autoComplete="off" />
      </Pair>
    </QuestionCard>
  );
}

/** The applicant; an adopted person ordering their own certificate reads which office to call. */
function ApplicantCard({ form, children }: CardProps & { children: ReactNode }) {
  const ask = asker(form, birth.fields);
  return (
    <QuestionCard title="You and this certificate">
      <BoundRadio {...ask("applyingForOwn")} options={yesNo} />
      <BoundRadio {...ask("adopted")} options={yesNo} />
      {children}
    </QuestionCard>
  );
}
