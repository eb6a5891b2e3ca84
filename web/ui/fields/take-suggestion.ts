import type { UseFormRegisterReturn } from "react-hook-form";
import type { Doubt } from "../../../domain/forms/question.ts";
import type { Suggestion } from "./field-frame.tsx";

/** The suggestion of a doubt, if it has one, for a box that a form has registered. */
export function suggestionFor(
  doubt: Doubt | undefined,
  id: string,
  input: UseFormRegisterReturn,
): Suggestion | undefined {
  const answer = doubt?.suggestion;
  return answer === undefined ? undefined : { answer, take: () => typeInto(id, input, answer) };
}

/** Through the form's own handler, as if it had been typed: it checks and keeps the answer like any other. */
function typeInto(id: string, input: UseFormRegisterReturn, answer: string): void {
  const box = document.getElementById(id);
  if (!(box instanceof HTMLInputElement)) return;
  box.value = answer;
  void input.onChange({ target: box, type: "change" });
  // The button that was pressed goes with the question: without this the focus would be lost.
  box.focus();
}
