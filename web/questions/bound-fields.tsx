import type { ComponentProps, ReactNode } from "react";
import { RadioField } from "../ui/radio-field.tsx";
import { SelectField, type SelectOption } from "../ui/select-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { BoundField } from "./use-question-form.ts";

type Unbound<Props> = Omit<
  Props,
  "id" | "error" | "question" | "suggestion" | "name" | "ref" | "onChange" | "onBlur"
>;

/** A line of text of a form. */
export function Bound({ field, ...rest }: { field: BoundField } & Unbound<ComponentProps<typeof TextField>>) {
  const { input, ...words } = field;
  return <TextField {...rest} {...input} {...words} />;
}

/** A select of a form. */
export function BoundSelect({
  field,
  ...rest
}: { field: BoundField } & Unbound<ComponentProps<typeof SelectField>>) {
  const { input, ...words } = field;
  return <SelectField {...rest} {...input} {...words} />;
}

interface BoundRadioProps {
  field: BoundField;
  label: string;
  hint?: ReactNode;
  options: readonly SelectOption[];
  children?: ReactNode;
}

/** Radio buttons of a form. */
export function BoundRadio({ field, label, hint, options, children }: BoundRadioProps) {
  return (
    <RadioField {...field} label={label} hint={hint} options={options}>
      {children}
    </RadioField>
  );
}
