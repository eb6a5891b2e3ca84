import { type ReactNode, useEffect, useState } from "react";
import { notKnown } from "../../../domain/forms/answers.ts";
import { days, months, yearOptions } from "../../../domain/forms/options.ts";
import { todayInLondon } from "../../ui/dates.ts";
import { optionsOf, SelectBox, type SelectOption } from "../../ui/fields/choice-fields.tsx";
import { FieldNotes, FieldQuestion } from "../../ui/fields/field.tsx";
import type { BoundField } from "./question-form.tsx";

const earlier = "earlier";

interface YearBoxProps {
  label: string;
  field: BoundField;
  value: string;
  years: readonly number[];
  onYear: (year: string) => void;
  /** Hides the label if a legend or another label already says it. */
  labelClass?: string;
  /** Content between label and box, such as the error. */
  children?: ReactNode;
}

/** A list of years, or a field to type an earlier one in. */
export function YearBox(props: YearBoxProps) {
  const { label, field, value, years, onYear, labelClass = "text-14", children } = props;
  const listed = value === "" || years.includes(Number(value));
  const [typing, setTyping] = useState(!listed);
  const [asked, setAsked] = useState(false);
  const change = (toTyping: boolean): void => {
    onYear("");
    setTyping(toTyping);
    setAsked(toTyping);
  };
  return (
    <div>
      <label htmlFor={field.id} className={`mb-0.5 block ${labelClass}`}>
        {label}
      </label>
      {children}
      {typing ? (
        <TypedYear field={field} asked={asked} onList={() => change(false)} />
      ) : (
        <ListedYear {...props} value={listed ? value : ""} onEarlier={() => change(true)} />
      )}
    </div>
  );
}

const marksOf = ({ id, error }: BoundField) => ({
  id,
  "aria-invalid": error ? true : undefined,
  "aria-describedby": error ? `${id}-error` : undefined,
});

interface TypedYearProps {
  field: BoundField;
  /** True if it replaced the focused list, false if shown from the start. */
  asked: boolean;
  onList: () => void;
}

function TypedYear({ field, asked, onList }: TypedYearProps) {
  useEffect(() => {
    if (asked) document.getElementById(field.id)?.focus();
  }, [asked, field.id]);
  return (
    <>
      <input
        {...field.input}
        {...marksOf(field)}
        type="text"
        inputMode="numeric"
        maxLength={4}
        autoComplete="off"
        className="field-box figures"
      />
      <button type="button" className="link mt-1 min-h-6 cursor-pointer text-14" onClick={onList}>
        Choose from the list
      </button>
    </>
  );
}

function ListedYear({
  label,
  field,
  value,
  years,
  onYear,
  onEarlier,
}: YearBoxProps & { onEarlier: () => void }) {
  return (
    <SelectBox
      {...marksOf(field)}
      name={field.input.name}
      ref={field.input.ref}
      onBlur={field.input.onBlur}
      value={value}
      onChange={(event) => (event.target.value === earlier ? onEarlier() : onYear(event.target.value))}
    >
      <option value="">{label === "Year" ? "Year" : "Select a year"}</option>
      {years.map((year) => (
        <option key={year} value={year}>
          {year}
        </option>
      ))}
      <option value={earlier}>Earlier…</option>
    </SelectBox>
  );
}

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
