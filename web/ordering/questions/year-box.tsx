import { type ReactNode, useEffect, useState } from "react";
import { SelectBox } from "../../ui/fields/select-field.tsx";
import type { BoundField } from "./use-question-form.ts";

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
