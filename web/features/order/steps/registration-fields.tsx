import type { ReactNode } from "react";
import { registrationLocations, yearOptions } from "../../../../domain/forms/options.ts";
import { todayInLondon } from "../../../clock.ts";
import { FieldNotes, FieldQuestion } from "../../../ui/field-frame.tsx";
import { yesNo } from "../../../ui/radio-field.tsx";
import { optionsOf } from "../../../ui/select-field.tsx";
import { Bound, BoundRadio, BoundSelect } from "../form/bound-fields.tsx";
import { QuestionCard } from "../form/step-form.tsx";
import type { BoundField } from "../form/use-wizard-form.ts";
import { YearBox } from "../form/year-box.tsx";

interface RegistrationFieldsProps {
  event: "birth" | "death";
  location: BoundField;
  known: BoundField;
  isKnown: boolean;
  reference: BoundField;
  /** Asked for births only. */
  year?: { field: BoundField; value: string; onYear: (year: string) => void };
  /** The notice that another office keeps the record. */
  children: ReactNode;
}

/** Where the entry stands in the register, and its index reference if one knows it. */
export function RegistrationFields(props: RegistrationFieldsProps) {
  const { event, location, known, isKnown, reference, year, children } = props;
  return (
    <QuestionCard title="The entry in the register">
      <BoundSelect
        field={location}
        label="Registration location"
        hint={`Where the ${event} was registered`}
        options={optionsOf(registrationLocations)}
      />
      {children}
      {year && (
        <div className={`max-w-64 ${year.field.error ? "border-l-4 border-danger pl-4" : ""}`}>
          <YearBox
            label="Year registered"
            labelClass={`font-[600] ${year.field.error ? "text-danger" : ""}`}
            field={year.field}
            value={year.value}
            years={yearOptions(todayInLondon())}
            onYear={year.onYear}
          >
            <FieldNotes id={year.field.id} error={year.field.error} />
          </YearBox>
          <FieldQuestion id={year.field.id} question={year.field.question} />
        </div>
      )}
      <BoundRadio
        field={known}
        label="Do you know the GRO Reference Number?"
        hint="It stands in the GRO’s index, and saves the GRO a search. You can order without it."
        options={yesNo}
      >
        {isKnown && (
          <div className="mt-3">
            <Bound
              field={reference}
              label="GRO reference"
              hint="Type it as you have it, or leave it empty if it is not at hand."
              figures
              autoComplete="off"
              spellCheck={false}
            />
          </div>
        )}
      </BoundRadio>
    </QuestionCard>
  );
}
