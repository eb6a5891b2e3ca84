import type { ReactNode } from "react";
import { registrationLocations, yearOptions } from "../../domain/forms/options.ts";
import { registrationYears } from "../../domain/certificates/gro-reference/registration-years.ts";
import type { CertificateType } from "../../domain/order/vocabulary.ts";
import { todayInLondon } from "../clock.ts";
import { FieldNotes, FieldQuestion } from "../ui/field-frame.tsx";
import { yesNo } from "../ui/radio-field.tsx";
import { optionsOf } from "../ui/select-field.tsx";
import { Bound, BoundRadio, BoundSelect } from "./bound-fields.tsx";
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
  /** The year of the registration as far as the other answers tell, as typed. */
  registered: unknown;
  /** Asked for births only. */
  year?: { field: BoundField; value: string; onYear: (year: string) => void };
  /** Asked for marriages only. */
  district?: BoundField;
  /** The notice that another office keeps the record. */
  children: ReactNode;
}

/** Where the entry stands in the register, and its index reference if one knows it. */
export function RegistrationFields(props: RegistrationFieldsProps) {
  const { type, location, year, district, children } = props;
  return (
    <QuestionCard title="The entry in the register">
      <BoundSelect
        field={location}
        label="Registration location"
        hint={`Where the ${type.toLowerCase()} was registered`}
        options={optionsOf(registrationLocations)}
      />
      {children}
      {district && (
        <Bound
          field={district}
          label="Registration district"
          hint="As in the index, or the nearest town if you are not sure"
          autoComplete="off"
        />
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
        label="Year registered"
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

/** Whether one knows the reference, and the reference itself. */
function ReferenceFields({ type, known, reference, values, registered }: RegistrationFieldsProps) {
  return (
    <BoundRadio
      field={known}
      label="Do you know the GRO Reference Number?"
      hint="You’ll find it in the GRO index. It speeds up the search. You can order without it."
      options={yesNo}
    >
      {values.groReferenceKnown === "yes" && (
        <div className="mt-3">
          <Bound
            field={reference}
            label="GRO reference (optional)"
            hint="Enter it as written. Leave it blank if you don’t have it to hand."
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
