import { useCallback } from "react";
import {
  type MarriageDetails,
  type MarriageDetailsInput,
  marriage,
  marriageDetailsSchema,
  questionMarriageDetails,
} from "../../../../domain/certificates/marriage.ts";
import { marriageAnswers } from "../../draft/certificate-answers.ts";
import { DateField } from "../date-fields.tsx";
import { type DetailsFormProps, DetailsPage, useDetailsForm } from "../details-form.tsx";
import type { QuestionForm } from "../question-form.tsx";
import { asker, Bound, wordsOf } from "../question-form.tsx";
import { RegistrationFields } from "../registration-fields.tsx";
import { Pair, QuestionCard } from "../step-form.tsx";

type CardProps = { form: QuestionForm<MarriageDetailsInput> };

/** The questions about a marriage. */
export function MarriageForm(props: DetailsFormProps) {
  const { answers, onChange } = props;
  const save = useCallback(
    (values: MarriageDetailsInput) => onChange({ marriage: marriageAnswers.parse(values) }),
    [onChange],
  );
  const { form, otherOffice } = useDetailsForm<MarriageDetailsInput, MarriageDetails>(props, {
    schema: marriageDetailsSchema,
    defaults: answers.marriage,
    save,
    questionsFor: questionMarriageDetails,
  });
  const { field, values } = form;
  return (
    <DetailsPage {...props} kind="marriage" form={form}>
      <SpousesCard form={form} />
      <CeremonyCard form={form} />
      <RegistrationFields
        type="Marriage"
        location={field("registrationLocation")}
        district={field("registrationDistrict")}
        known={field("groReferenceKnown")}
        reference={field("groReference")}
        values={values}
        registered={values.dateOfMarriage.year}
        names={[
          values.spouse1Surname,
          values.spouse1Forenames,
          values.spouse2Surname,
          values.spouse2Forenames,
        ]}
      >
        {otherOffice.besideLocation}
      </RegistrationFields>
    </DetailsPage>
  );
}

/** Who married. The register has no first or second: either order finds the entry. */
function SpousesCard({ form }: CardProps) {
  const ask = asker(form, marriage.fields);
  return (
    <QuestionCard title="The couple">
      <Pair>
        <Bound {...ask("spouse1Surname")} autoComplete="off" />
        <Bound {...ask("spouse1Forenames")} autoComplete="off" />
      </Pair>
      <Pair>
        <Bound {...ask("spouse2Surname")} autoComplete="off" />
        <Bound {...ask("spouse2Forenames")} autoComplete="off" />
      </Pair>
      <p className="text-14 text-muted">
        Enter the spouses in either order. If you don’t know a name, enter ‘I don’t know’. We need at least
        one surname.
      </p>
    </QuestionCard>
  );
}

/** When and where. */
function CeremonyCard({ form }: CardProps) {
  const { field, values, setValue, attempt } = form;
  const ask = asker(form, marriage.fields);
  return (
    <QuestionCard title="The marriage">
      <DateField
        {...wordsOf(marriage.fields.dateOfMarriage)}
        part={(name) => field(`dateOfMarriage.${name}`)}
        year={values.dateOfMarriage.year}
        onYear={(year) => setValue("dateOfMarriage.year", year, { shouldValidate: attempt > 0 })}
      />
      <Bound {...ask("placeOfMarriage")} autoComplete="off" />
    </QuestionCard>
  );
}
