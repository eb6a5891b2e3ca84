import type { ReactNode } from "react";
import { birth } from "../../../domain/certificates/birth.ts";
import { reference as entry, location as place } from "../../../domain/certificates/certificate.ts";
import { registrationYears } from "../../../domain/certificates/gro-reference/doubts.ts";
import { marriage } from "../../../domain/certificates/marriage.ts";
import { registrationLocations, yearOptions } from "../../../domain/forms/options.ts";
import type { CertificateType } from "../../../domain/order/vocabulary.ts";
import { todayInLondon } from "../../ui/dates.ts";
import { yesNo } from "../../ui/fields/choice-fields.tsx";
import { FieldNotes, FieldQuestion } from "../../ui/fields/field-frame.tsx";
import { optionsOf } from "../../ui/fields/select-field.tsx";
import { Bound, BoundRadio, BoundSelect, wordsOf } from "./bound-fields.tsx";
import { ReferenceReading } from "./reference-reading.tsx";
import { QuestionCard } from "./step-form.tsx";
import type { BoundField } from "./use-question-form.ts";
import { YearBox } from "./year-box.tsx";

interface RegistrationFieldsProps {
  type: CertificateType;
  location: BoundField;
  known: BoundField;
  reference: BoundField;
  values: { groReferenceKnown: unknown; groReference?: string | null | undefined };
  /** The probable year of registration from the other answers, as typed. */
  registered: unknown;
  /** Asked for births only. */
  year?: { field: BoundField; value: string; onYear: (year: string) => void };
  /** Asked for marriages only. */
  district?: BoundField;
  /** The notice about another office. */
  children: ReactNode;
}

/** The register entry, and its index reference if known. */
export function RegistrationFields(props: RegistrationFieldsProps) {
  const { type, location, year, district, children } = props;
  return (
    <QuestionCard title="The entry in the register">
      <BoundSelect
        field={location}
        label={place.registrationLocation.label}
        hint={`Where the ${type.toLowerCase()} was registered`}
        options={optionsOf(registrationLocations)}
      />
      {children}
      {district && (
        <Bound field={district} {...wordsOf(marriage.fields.registrationDistrict)} autoComplete="off" />
      )}
      {year && <YearRegistered {...year} />}
      <ReferenceFields {...props} />
    </QuestionCard>
  );
}

/** The year of the entry; older years than the list's can be typed. */
function YearRegistered({ field, value, onYear }: NonNullable<RegistrationFieldsProps["year"]>) {
  return (
    <div className={`max-w-64 ${field.error ? "border-l-4 border-danger pl-4" : ""}`}>
      <YearBox
        label={birth.fields.yearRegistered.label}
        labelClass={`font-[600] ${field.error ? "text-danger" : ""}`}
        field={field}
        value={value}
        years={yearOptions(todayInLondon())}
        onYear={onYear}
      >
        <FieldNotes id={field.id} error={field.error} />
      </YearBox>
      <FieldQuestion id={field.id} question={field.question} />
    </div>
  );
}

/** Whether the reference is known, and the reference. */
function ReferenceFields({ type, known, reference, values, registered }: RegistrationFieldsProps) {
  return (
    <BoundRadio field={known} {...wordsOf(entry.groReferenceKnown)} options={yesNo}>
      {values.groReferenceKnown === "yes" && (
        <div className="mt-3">
          <Bound
            field={reference}
            {...wordsOf(entry.groReference)}
            figures
            autoComplete="off"
            spellCheck={false}
          />
          <ReferenceReading
            id={reference.id}
            pasted={values.groReference ?? ""}
            registered={registrationYears(type, registered)}
          />
        </div>
      )}
    </BoundRadio>
  );
}
