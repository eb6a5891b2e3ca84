import { zodResolver } from "@hookform/resolvers/zod";
import { type ComponentProps, type ReactNode, useEffect, useState } from "react";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  get,
  type Path,
  type UseFormRegisterReturn,
  type UseFormSetValue,
  useForm,
} from "react-hook-form";
import type { z } from "zod";
import { type Field, formLabel } from "../../../domain/certificates/certificate.ts";
import type { Question } from "../../../domain/forms/question.ts";
import { RadioField, SelectField, type SelectOption } from "../../ui/fields/choice-fields.tsx";
import type { SummaryError } from "../../ui/fields/error-summary.tsx";
import type { Suggestion } from "../../ui/fields/field.tsx";
import { suggestionFor, TextField } from "../../ui/fields/field.tsx";

/** The id of a field's control, from its path in the form. */
export const fieldId = (path: string): string => path.replaceAll(".", "-");

/** A control's props: id, name, handlers, error, and any question about its answer. */
export interface BoundField {
  id: string;
  input: UseFormRegisterReturn;
  error: string | undefined;
  question: string | undefined;
  /** A suggested answer. */
  suggestion: Suggestion | undefined;
}

export interface QuestionForm<Input extends FieldValues> {
  field: (path: Path<Input>) => BoundField;
  /** The current input. */
  values: Input;
  setValue: UseFormSetValue<Input>;
  /** How often Continue was refused: after the first refusal, changes are checked at once. */
  attempt: number;
}

interface QuestionFormOptions<Input extends FieldValues, Output> {
  schema: z.ZodType<Output, Input>;
  defaults: DefaultValues<Input>;
  /** Saves the input; called on every change. */
  save: (values: Input) => void;
  /** Finds suspicious answers that may be right. */
  questionsFor?: (values: Input) => readonly Question[];
  onValid: (details: Output) => void;
}

/**
 * A step's form: saved while typing, validated on Continue by the server's schema. `errors` are for the summary, in
 * page order; `attempt` counts refusals.
 */
export function useQuestionForm<Input extends FieldValues, Output>(
  wizard: QuestionFormOptions<Input, Output>,
) {
  const { schema, defaults, save, questionsFor, onValid } = wizard;
  const [attempt, setAttempt] = useState(0);
  const form = useForm<Input, unknown, Output>({
    resolver: zodResolver<Input, unknown, Output>(schema),
    defaultValues: defaults,
    shouldFocusError: false,
  });
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => {
          save(values);
          // The whole form: a day depends on its month, one email address on the other.
          if (attempt > 0) void form.trigger();
        },
      }),
    [form, save, attempt],
  );
  const { errors } = form.formState;
  const values = form.watch();
  const questions = questionsFor?.(values) ?? [];
  const field = (path: Path<Input>): BoundField => {
    const asked = questions.find((question) => question.field === path);
    const [id, input] = [fieldId(path), form.register(path)];
    return {
      id,
      input,
      error: messageAt(errors, path),
      question: asked?.message,
      suggestion: suggestionFor(asked, id, input),
    };
  };
  return {
    field,
    values,
    setValue: form.setValue,
    errors: errorsInOrder(errors),
    attempt,
    submit: form.handleSubmit(onValid, () => setAttempt((count) => count + 1)),
  };
}

function messageAt(errors: FieldErrors, path: string): string | undefined {
  const found: unknown = get(errors, path);
  return messageOf(found);
}

function messageOf(error: unknown): string | undefined {
  const hasMessage = typeof error === "object" && error !== null && "message" in error;
  return hasMessage && typeof error.message === "string" ? error.message : undefined;
}

/** Schema and errors are in page order; a date's parts are one level deeper. */
function errorsInOrder(errors: object, above = ""): SummaryError[] {
  return Object.entries(errors).flatMap(([name, error]) => {
    const path = above ? `${above}.${name}` : name;
    const message = messageOf(error);
    if (message !== undefined) return [{ id: fieldId(path), message }];
    return typeof error === "object" && error !== null && name !== "root" ? errorsInOrder(error, path) : [];
  });
}

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
