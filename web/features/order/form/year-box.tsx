import { type ReactNode, useState } from "react";
import { SelectBox } from "../../../ui/select-box.tsx";
import type { BoundField } from "./use-wizard-form.ts";

const earlier = "earlier";

interface YearBoxProps {
  label: string;
  field: BoundField;
  value: string;
  years: readonly number[];
  onYear: (year: string) => void;
  /** Hides the label where a legend or another label already says it. */
  labelClass?: string;
  describedBy?: string | undefined;
  /** What stands between the label and the box, such as the error. */
  children?: ReactNode;
}

/** A list of years, or a field to type an earlier one in. */
export function YearBox({
  label,
  field,
  value,
  years,
  onYear,
  labelClass = "text-14",
  describedBy,
  children,
}: YearBoxProps) {
  const listed = value === "" || years.includes(Number(value));
  const [typing, setTyping] = useState(!listed);
  const described =
    [describedBy, field.error ? `${field.id}-error` : ""].filter(Boolean).join(" ") || undefined;
  const marks = {
    id: field.id,
    "aria-invalid": field.error ? true : undefined,
    "aria-describedby": described,
  };
  return (
    <div>
      <label htmlFor={field.id} className={`mb-0.5 block ${labelClass}`}>
        {label}
      </label>
      {children}
      {typing ? (
        <>
          <input
            {...field.input}
            {...marks}
            type="text"
            inputMode="numeric"
            maxLength={4}
            autoComplete="off"
            className="field-box figures"
          />
          <button
            type="button"
            className="link mt-1 min-h-6 cursor-pointer text-14"
            onClick={() => {
              onYear("");
              setTyping(false);
            }}
          >
            Choose from the list
          </button>
        </>
      ) : (
        <SelectBox
          {...marks}
          name={field.input.name}
          ref={field.input.ref}
          onBlur={field.input.onBlur}
          value={listed ? value : ""}
          onChange={(event) => {
            const earlierYear = event.target.value === earlier;
            setTyping(earlierYear);
            onYear(earlierYear ? "" : event.target.value);
          }}
        >
          <option value="">{label === "Year" ? "Year" : "Select a year"}</option>
          {years.map((year) => (
            <option key={year} value={year}>
              {year}
            </option>
          ))}
          <option value={earlier}>Earlier…</option>
        </SelectBox>
      )}
    </div>
  );
}
