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
import { DateField } from "../date-fields.tsx";
import { type DetailsFormProps, DetailsPage, useDetailsForm } from "../details-form.tsx";
import type { QuestionForm } from "../question-form.tsx";
import { asker, Bound, BoundRadio, BoundSelect, wordsOf } from "../question-form.tsx";
import { RegistrationFields } from "../registration-fields.tsx";
import { Pair, QuestionCard } from "../step-form.tsx";

type CardProps = { form: QuestionForm<DeathDetailsInput> };

/** The questions about a death. */
export function DeathForm(props: DetailsFormProps) {
  const { answers, onChange } = props;
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
      <DeceasedCard form={form} />
      <ParentsCard form={form} />
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
function DeceasedCard({ form }: CardProps) {
  const ask = asker(form, death.fields);
  return (
    <QuestionCard title="The person who died">
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
function ParentsCard({ form }: CardProps) {
  const ask = asker(form, death.fields);
  return (
    <QuestionCard title="The parents">
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
