import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useRef, useState } from "react";
import {
  type DefaultValues,
  type FieldValues,
  get,
  type Path,
  type PathValue,
  type UseFormRegisterReturn,
  useForm,
} from "react-hook-form";
import { Link } from "react-router-dom";
import type { Schema } from "../../../contract/request.ts";
import type { TicketLink } from "../../../contract/tickets/conversation.ts";
import type { Question } from "../../../domain/forms/question.ts";
import { ApiError } from "../../api/problem.ts";
import { useInBrowser } from "../../rendering/hydration.tsx";
import type { SummaryError } from "../../ui/fields/error-summary.tsx";
import type { Suggestion } from "../../ui/fields/field.tsx";
import { suggestionFor } from "../../ui/fields/field.tsx";

export interface SupportField {
  id: string;
  input: UseFormRegisterReturn;
  error: string | undefined;
  /** A question about the answer, with a suggested correction. */
  question: string | undefined;
  suggestion: Suggestion | undefined;
}

/** An answer that cannot be sent, in words for its field. */
export class UnusableAnswer extends Error {
  override name = "UnusableAnswer";
  readonly fields: ApiError["fields"];

  constructor(field: string, message: string) {
    super(message);
    this.fields = [{ field, message }];
  }
}

interface SupportForm<Input extends FieldValues, Output> {
  /** Prefix of the controls' ids, since a page may hold two forms. */
  name: string;
  schema: Schema<Output, Input>;
  defaults: DefaultValues<Input>;
  /** The fields in the order of the page. */
  fields: readonly Path<Input>[];
  /** Finds suspicious answers that may be right. */
  questionsFor?: (values: Input) => readonly Question[];
  /** Sends the form. What it throws about fields is shown beside them. */
  send: (answers: Output) => Promise<void>;
  /** Message for a refusal that names no field. */
  sayRefused: (problem: ApiError) => string;
}

/** A small form, checked on sending by the server's schema, then by the server. */
export function useSupportForm<Input extends FieldValues, Output>(form: SupportForm<Input, Output>) {
  const [attempt, setAttempt] = useState(0);
  const [refusals, setRefusals] = useState<readonly SummaryError[]>([]);
  const { register, formState, handleSubmit, setError, clearErrors, setValue, reset, watch } = useForm<
    Input,
    unknown,
    Output
  >({
    resolver: zodResolver<Input, unknown, Output>(form.schema),
    defaultValues: form.defaults,
    shouldFocusError: false,
  });
  const idOf = (path: Path<Input>) => `${form.name}-${path}`;
  const errorAt = (path: Path<Input>): string | undefined => {
    const found: unknown = get(formState.errors, path);
    const has = typeof found === "object" && found !== null && "message" in found;
    return has && typeof found.message === "string" ? found.message : undefined;
  };
  const refuse = (failure: unknown): void => {
    const unplaced: SummaryError[] = [];
    const problems = failure instanceof ApiError || failure instanceof UnusableAnswer ? failure.fields : [];
    for (const { field, message } of problems) {
      const path = form.fields.find((known) => known === field);
      if (path) setError(path, { message });
      else unplaced.push({ message });
    }
    if (problems.length === 0) unplaced.push({ message: sentenceFor(failure, form.sayRefused) });
    setRefusals(unplaced);
  };
  const sending = useRef(false);
  const send = async (answers: Output): Promise<void> => {
    // The second click of a double click arrives before the button is disabled.
    if (sending.current) return;
    sending.current = true;
    setRefusals([]);
    try {
      await form.send(answers);
    } catch (failure) {
      refuse(failure);
      setAttempt((count) => count + 1);
    } finally {
      sending.current = false;
    }
  };
  const submit = handleSubmit(send, () => {
    setRefusals([]);
    setAttempt((count) => count + 1);
  });
  const shown = form.fields.flatMap((path): SummaryError[] => {
    const message = errorAt(path);
    return message === undefined ? [] : [{ id: idOf(path), message }];
  });
  const questions = form.questionsFor?.(watch()) ?? [];
  return {
    field: (path: Path<Input>): SupportField => {
      const asked = questions.find((question) => question.field === path);
      const [id, input] = [idOf(path), register(path)];
      return {
        id,
        input,
        error: errorAt(path),
        question: asked?.message,
        suggestion: suggestionFor(asked, id, input),
      };
    },
    /** A field whose value no box holds. */
    chosen: <Name extends Path<Input>>(path: Name) => ({
      id: idOf(path),
      value: watch(path),
      error: errorAt(path),
      onChange: (value: PathValue<Input, Name>) => {
        setValue(path, value);
        // It may name what was just taken away.
        clearErrors(path);
      },
    }),
    errors: [...shown, ...refusals],
    attempt,
    busy: formState.isSubmitting,
    submit,
    reset,
  };
}

/** Where a proxy refused, without words of the server's. */
const tooMany = "Too many requests. Please wait a little and try again.";

function sentenceFor(failure: unknown, sayRefused: (problem: ApiError) => string): string {
  if (!(failure instanceof ApiError))
    return "We could not reach the server. What you wrote is still here: please try again.";
  if (failure.status === 429) return `${failure.detail ?? tooMany} What you wrote is still here.`;
  return sayRefused(failure);
}

/**
 * A form's submit button; while sending, it says so and is disabled. Before hydration nothing can be sent: the browser
 * would put the input into the URL.
 */
export function SendButton({ words, busy }: { words: string; busy: boolean }) {
  const inBrowser = useInBrowser();
  return (
    <button type="submit" className="button button-primary" disabled={!inBrowser} aria-disabled={busy}>
      {busy ? "Sending..." : words}
    </button>
  );
}

/** Replaces the form where scripts do not run. */
export function WithoutScript({ email }: { email: string | undefined }) {
  return (
    <p className="without-script mt-4">
      This form needs JavaScript.{" "}
      {email && (
        <>
          Please write to{" "}
          <a className="link" href={`mailto:${email}`}>
            {email}
          </a>{" "}
          instead.
        </>
      )}
    </p>
  );
}

/** A private link as a path of this app; the key stays in the fragment, which no server sees. */
export function pathOf(link: string): string {
  const { pathname, hash } = new URL(link);
  return `${pathname}${hash}`;
}

/** Replaces the form once the ticket is open: its number, and a link to the conversation. */
export function TicketOpened({ ticket }: { ticket: TicketLink }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="card mt-6 rounded-4 border border-hairline bg-surface p-6">
      <h3 ref={heading} tabIndex={-1} className="text-22">
        We have received your message
      </h3>
      <p className="mt-3 text-muted">Your ticket number</p>
      <p className="figures text-22">{ticket.ticketNumber}</p>
      <p className="mt-4">
        We have emailed it to you with a private link to the conversation. Our reply will be there too.
      </p>
      <Link className="button button-outlined mt-5" to={pathOf(ticket.link)}>
        Open the conversation
      </Link>
      <p className="mt-4 text-14 text-muted">
        Anyone with the link can read the conversation and reply to it, so please keep it private.
      </p>
    </div>
  );
}
