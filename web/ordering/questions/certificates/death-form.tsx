import { useCallback } from "react";
import {
  type DeathDetails,
  type DeathDetailsInput,
  death,
  deathDetailsSchema,
  questionDeathDetails,
} from "../../../../domain/certificates/death.ts";
import { genders, maritalStatuses } from "../../../../domain/forms/options.ts";
import { optionsOf } from "../../../ui/fields/choice-fields.tsx";
import { deathAnswers } from "../../draft/certificate-answers.ts";
import type { DraftCertificate } from "../../draft/draft.ts";
import { DateField } from "../date-fields.tsx";
import { type DetailsFormProps, DetailsPage, useDetailsForm } from "../details-form.tsx";
import { ParentsOffers, SurnameOffers } from "../known-answers.tsx";
import type { QuestionForm } from "../question-form.tsx";
import { asker, Bound, BoundRadio, BoundSelect, wordsOf } from "../question-form.tsx";
import { RegistrationFields } from "../registration-fields.tsx";
import { Pair, QuestionCard } from "../step-form.tsx";

type CardProps = { form: QuestionForm<DeathDetailsInput> };
type PeopleProps = CardProps & { others: readonly DraftCertificate[] };

const surname = ["deceasedSurname"] as const;
const parents = ["motherForenames", "motherSurname", "fatherForenames", "fatherSurname"] as const;

/** Answers a question with what another certificate says. */
const using =
  ({ setValue, attempt }: QuestionForm<DeathDetailsInput>) =>
  (name: (typeof surname | typeof parents)[number], answer: string): void =>
    setValue(name, answer, { shouldValidate: attempt > 0 });

/** The questions about a death. */
export function DeathForm(props: DetailsFormProps) {
  const { answers, others = [], onChange } = props;
  const save = useCallback(
    (values: DeathDetailsInput) => onChange({ death: deathAnswers.parse(values) }),
    [onChange],
  );
  const { form, otherOffice } = useDetailsForm<DeathDetailsInput, DeathDetails>(props, {
    schema: deathDetailsSchema,
    defaults: answers.death,
    save,
    questionsFor: questionDeathDetails,
  });
  const { field, values } = form;
  return (
    <DetailsPage {...props} kind="death" form={form}>
      <DeceasedCard form={form} others={others} />
      <ParentsCard form={form} others={others} />
      <OccupationCard form={form} />
      <RegistrationFields
        type="Death"
        location={field("registrationLocation")}
        known={field("groReferenceKnown")}
        reference={field("groReference")}
        values={values}
        registered={values.dateOfDeath.year}
        names={[values.deceasedForename, values.deceasedSurname]}
      >
        {otherOffice.besideLocation}
      </RegistrationFields>
    </DetailsPage>
  );
}

/** Who died. */
function DeceasedCard({ form, others }: PeopleProps) {
  const ask = asker(form, death.fields);
  return (
    <QuestionCard title="The person who died">
      <SurnameOffers others={others} names={surname} values={form.values} onUse={using(form)} />
      <Pair>
        <Bound {...ask("deceasedForename")} autoComplete="off" />
        <Bound {...ask("deceasedSurname")} autoComplete="off" />
      </Pair>
      <BoundRadio {...ask("gender")} options={optionsOf(genders)} />
      <DeathFields form={form} />
    </QuestionCard>
  );
}

/** When, where and at what age. */
function DeathFields({ form }: CardProps) {
  const { field, values, setValue, attempt } = form;
  const ask = asker(form, death.fields);
  return (
    <>
      <DateField
        {...wordsOf(death.fields.dateOfDeath)}
        part={(name) => field(`dateOfDeath.${name}`)}
        year={values.dateOfDeath.year}
        onYear={(year) => setValue("dateOfDeath.year", year, { shouldValidate: attempt > 0 })}
      />
      <Bound {...ask("placeOfDeath")} />
      <div className="max-w-40">
        <Bound {...ask("ageAtDeath")} inputMode="numeric" autoComplete="off" />
      </div>
    </>
  );
}

/** The parents as registered. */
function ParentsCard({ form, others }: PeopleProps) {
  const ask = asker(form, death.fields);
  return (
    <QuestionCard title="The parents">
      <ParentsOffers others={others} names={parents} values={form.values} onUse={using(form)} />
      <Pair>
        <Bound {...ask("motherForenames")} autoComplete="off" />
        <Bound {...ask("motherSurname")} autoComplete="off" />
      </Pair>
      <Pair>
        <Bound {...ask("fatherForenames")} autoComplete="off" />
        <Bound {...ask("fatherSurname")} autoComplete="off" />
      </Pair>
      <p className="text-14 text-muted">If you don’t know a name, enter ‘I don’t know’.</p>
    </QuestionCard>
  );
}

/** What the entry says of the work of the person who died and, of a woman, whether she was married. */
function OccupationCard({ form }: CardProps) {
  const { values } = form;
  const ask = asker(form, death.fields);
  return (
    <QuestionCard title="More about the person who died">
      <Bound {...ask("occupation")} autoComplete="off" />
      {values.gender === "Female" && (
        <div className="max-w-64">
          <BoundSelect {...ask("maritalStatus")} options={optionsOf(maritalStatuses)} placeholder="Select" />
        </div>
      )}
    </QuestionCard>
  );
}
