import type { ComponentProps, ReactNode } from "react";
import type { FieldValues, Path } from "react-hook-form";
import { type Field, formLabel } from "../../../domain/certificates/certificate.ts";
import { RadioField } from "../../ui/fields/choice-fields.tsx";
import { SelectField, type SelectOption } from "../../ui/fields/select-field.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import type { BoundField, QuestionForm } from "./use-question-form.ts";

/** The words of a question. */
export const wordsOf = (field: Field) => ({ label: formLabel(field), hint: field.hint });

/** Binds questions of a certificate to its form, with their words. */
export const asker =
  <Input extends FieldValues, Name extends string>(
    { field }: QuestionForm<Input>,
    fields: Readonly<Record<Name, Field>>,
  ) =>
  (name: Name & Path<Input>) => ({ field: field(name), ...wordsOf(fields[name]) });

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
