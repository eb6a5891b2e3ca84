import { notKnown } from "../../../domain/forms/answers.ts";
import { days, months, yearOptions } from "../../../domain/forms/options.ts";
import { todayInLondon } from "../../ui/dates.ts";
import { FieldNotes, FieldQuestion } from "../../ui/fields/field-frame.tsx";
import { optionsOf, SelectBox, type SelectOption } from "../../ui/fields/select-field.tsx";
import type { BoundField } from "./use-question-form.ts";
import { YearBox } from "./year-box.tsx";

interface DateFieldProps {
  label: string;
  hint: string | undefined;
  /** The field of each of its three answers. */
  part: (name: "day" | "month" | "year") => BoundField;
  /** What the year holds so far. */
  year: unknown;
  onYear: (year: string) => void;
}

const orNotKnown = (options: readonly SelectOption[]): SelectOption[] => [
  ...options,
  { value: notKnown, words: notKnown },
];

/** A date in three answers: day 1 to 31, the month's name, the year. Older years than the list's can be typed. */
export function DateField({ label, hint, part: partOf, year, onYear }: DateFieldProps) {
  const [day, month, yearField] = [partOf("day"), partOf("month"), partOf("year")];
  const wrong = [day, month, yearField].filter((part) => part.error);
  const id = day.id.replace(/-day$/, "");
  const hints = hint === undefined ? [] : [`${id}-hint`];
  const notes = [...hints, ...wrong.map((part) => `${part.id}-error`)].join(" ");
  return (
    <fieldset
      className={`min-w-0 ${wrong.length > 0 ? "border-l-4 border-danger pl-4" : ""}`}
      aria-describedby={notes}
    >
      <legend className={`font-[600] ${wrong.length > 0 ? "text-danger" : ""}`}>{label}</legend>
      <FieldNotes id={id} hint={hint} />
      {wrong.map((part) => (
        <FieldNotes key={part.id} id={part.id} error={part.error} />
      ))}
      <div className="mt-2 grid grid-cols-2 gap-3 sm:grid-cols-[7rem_10rem_9rem]">
        <Part label="Day" field={day} options={orNotKnown(optionsOf(days))} />
        <Part label="Month" field={month} options={orNotKnown(optionsOf(months))} />
        <YearBox
          label="Year"
          field={yearField}
          value={String(year ?? "")}
          years={yearOptions(todayInLondon())}
          onYear={onYear}
        />
      </div>
      <FieldQuestion id={yearField.id} question={yearField.question} />
    </fieldset>
  );
}

function Part({
  label,
  field,
  options,
}: {
  label: string;
  field: BoundField;
  options: readonly SelectOption[];
}) {
  return (
    <div>
      <label htmlFor={field.id} className="mb-0.5 block text-14">
        {label}
      </label>
      <SelectBox
        {...field.input}
        id={field.id}
        aria-invalid={field.error ? true : undefined}
        aria-describedby={field.error ? `${field.id}-error` : undefined}
      >
        <option value="">{label}</option>
        {options.map(({ value, words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </SelectBox>
    </div>
  );
}
