import { useCallback } from "react";
import {
  type AdoptionDetails,
  type AdoptionDetailsInput,
  adoption,
  adoptionDetailsSchema,
  questionAdoptionDetails,
} from "../../../../domain/certificates/adoption.ts";
import { genders } from "../../../../domain/forms/options.ts";
import { optionsOf } from "../../../ui/fields/choice-fields.tsx";
import { adoptionAnswers } from "../../draft/certificate-answers.ts";
import type { DraftCertificate } from "../../draft/draft.ts";
import { DateField } from "../date-fields.tsx";
import { type DetailsFormProps, DetailsPage, useDetailsForm } from "../details-form.tsx";
import { ParentsOffers, SurnameOffers } from "../known-answers.tsx";
import type { QuestionForm } from "../question-form.tsx";
import { asker, Bound, BoundRadio, wordsOf } from "../question-form.tsx";
import { RegistrationFields } from "../registration-fields.tsx";
import { Pair, QuestionCard } from "../step-form.tsx";

type CardProps = { form: QuestionForm<AdoptionDetailsInput> };
type PeopleProps = CardProps & { others: readonly DraftCertificate[] };

const surname = ["adoptiveSurname"] as const;
const parents = [
  "adoptiveParent1Surname",
  "adoptiveParent1Forenames",
  "adoptiveParent2Surname",
  "adoptiveParent2Forenames",
] as const;

/** Answers a question with what another certificate says. */
const using =
  ({ setValue, attempt }: QuestionForm<AdoptionDetailsInput>) =>
  (name: (typeof surname | typeof parents)[number], answer: string): void =>
    setValue(name, answer, { shouldValidate: attempt > 0 });

/** The questions about an adoption: everything under the adoptive names, as the register has it. */
export function AdoptionForm(props: DetailsFormProps) {
  const { answers, others = [], onChange } = props;
  const save = useCallback(
    (values: AdoptionDetailsInput) => onChange({ adoption: adoptionAnswers.parse(values) }),
    [onChange],
  );
  const { form, otherOffice } = useDetailsForm<AdoptionDetailsInput, AdoptionDetails>(props, {
    schema: adoptionDetailsSchema,
    defaults: answers.adoption,
    save,
    questionsFor: questionAdoptionDetails,
  });
  const { field, values } = form;
  return (
    <DetailsPage {...props} kind="adoption" form={form}>
      <PersonCard form={form} others={others} />
      <ParentsCard form={form} others={others} />
      <OrderCard form={form} />
      <RegistrationFields
        type="Adoption"
        location={field("registrationLocation")}
        known={field("groReferenceKnown")}
        reference={field("groReference")}
        values={values}
        registered={undefined}
        names={[values.adoptiveSurname, values.adoptiveForenames]}
      >
        {otherOffice.besideLocation}
      </RegistrationFields>
    </DetailsPage>
  );
}

/** Who was adopted. */
function PersonCard({ form, others }: PeopleProps) {
  const { field, values, setValue, attempt } = form;
  const ask = asker(form, adoption.fields);
  return (
    <QuestionCard title="The person">
      <SurnameOffers others={others} names={surname} values={form.values} onUse={using(form)} />
      <Pair>
        <Bound {...ask("adoptiveSurname")} autoComplete="off" />
        <Bound {...ask("adoptiveForenames")} autoComplete="off" />
      </Pair>
      <BoundRadio {...ask("gender")} options={optionsOf(genders)} />
      <DateField
        {...wordsOf(adoption.fields.dateOfBirth)}
        part={(name) => field(`dateOfBirth.${name}`)}
        year={values.dateOfBirth.year}
        onYear={(year) => setValue("dateOfBirth.year", year, { shouldValidate: attempt > 0 })}
      />
    </QuestionCard>
  );
}

/** Who adopted; one person may adopt alone. */
function ParentsCard({ form, others }: PeopleProps) {
  const ask = asker(form, adoption.fields);
  return (
    <QuestionCard title="The adoptive parents">
      <ParentsOffers others={others} names={parents} values={form.values} onUse={using(form)} />
      <Pair>
        <Bound {...ask("adoptiveParent1Surname")} autoComplete="off" />
        <Bound {...ask("adoptiveParent1Forenames")} autoComplete="off" />
      </Pair>
      <Pair>
        <Bound {...ask("adoptiveParent2Surname")} autoComplete="off" />
        <Bound {...ask("adoptiveParent2Forenames")} autoComplete="off" />
      </Pair>
      <p className="text-14 text-muted">If you don’t know a name, enter ‘I don’t know’.</p>
    </QuestionCard>
  );
}

/** The court's order, as far as it is known. */
function OrderCard({ form }: CardProps) {
  const { field, values, setValue, attempt } = form;
  const ask = asker(form, adoption.fields);
  return (
    <QuestionCard title="The adoption order">
      <DateField
        {...wordsOf(adoption.fields.dateOfOrder)}
        part={(name) => field(`dateOfOrder.${name}`)}
        year={values.dateOfOrder?.year}
        onYear={(year) => setValue("dateOfOrder.year", year, { shouldValidate: attempt > 0 })}
      />
      <Bound {...ask("court")} autoComplete="off" />
    </QuestionCard>
  );
}
