import type { DefaultValues, FieldValues } from "react-hook-form";
import type { z } from "zod";
import type { CalendarDate } from "../../../domain/calendar-date.ts";
import type { Question } from "../../../domain/forms/question.ts";
import { todayInLondon } from "../../ui/dates.ts";
import type { DetailsFormProps } from "./details-page.tsx";
import { type DecidingAnswers, type OtherOffice, useOtherOffice } from "./other-office.tsx";
import { useQuestionForm } from "./use-question-form.ts";

/** What one type's form has of its own. */
interface DetailsRules<Input extends FieldValues, Output> {
  schema: (today: CalendarDate) => z.ZodType<Output, Input>;
  defaults: DefaultValues<Input>;
  save: (values: Input) => void;
  questionsFor: (values: Input, today: CalendarDate) => readonly Question[];
}

/**
 * What the forms of all types share: the day their rules go by, and the end of an order for another office's records.
 */
export function useDetailsForm<Input extends FieldValues & DecidingAnswers, Output>(
  { onDone, whenStopped }: Pick<DetailsFormProps, "onDone" | "whenStopped">,
  { schema, defaults, save, questionsFor }: DetailsRules<Input, Output>,
) {
  const today = todayInLondon();
  const form = useQuestionForm<Input, Output>({
    schema: schema(today),
    defaults,
    save,
    questionsFor: (values) => questionsFor(values, today),
    onValid: () => onwards(onDone),
  });
  const { onwards, ...notices } = useOtherOffice(form.values, whenStopped);
  const otherOffice: OtherOffice = notices;
  return { form, otherOffice };
}
