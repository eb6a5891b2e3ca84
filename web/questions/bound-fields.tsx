import type { ComponentProps, ReactNode } from "react";
import { RadioField } from "../ui/radio-field.tsx";
import { SelectField, type SelectOption } from "../ui/select-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { BoundField } from "./use-question-form.ts";

type Unbound<Props> = Omit<Props, "id" | "error" | "question" | "name" | "ref" | "onChange" | "onBlur">;

/** A line of text of a form. */
export function Bound({ field, ...rest }: { field: BoundField } & Unbound<ComponentProps<typeof TextField>>) {
  const { id, input, error, question } = field;
  return <TextField {...rest} {...input} id={id} error={error} question={question} />;
}

/** A select of a form. */
export function BoundSelect({
  field,
  ...rest
}: { field: BoundField } & Unbound<ComponentProps<typeof SelectField>>) {
  const { id, input, error, question } = field;
  return <SelectField {...rest} {...input} id={id} error={error} question={question} />;
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
  const { id, input, error, question } = field;
  return (
    <RadioField
      id={id}
      label={label}
      hint={hint}
      options={options}
      input={input}
      error={error}
      question={question}
    >
      {children}
    </RadioField>
  );
}
