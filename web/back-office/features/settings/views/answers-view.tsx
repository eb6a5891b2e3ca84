import { type FormEvent, useState } from "react";
import type { Settings } from "../../../../../contract/settings/settings.ts";
import { statusInSentence } from "../../../../../domain/order/status.ts";
import {
  type CannedAnswer,
  cannedVariables,
  fillCannedAnswer,
} from "../../../../../domain/settings/canned-answers.ts";
import { cannedAnswer } from "../../../../../domain/settings/settings-texts.ts";
import { DenseArea, DenseField } from "../../../ui/dense-field.tsx";
import { Panel } from "../../../ui/page-parts.tsx";
import type { ViewProps } from "../proposals.tsx";
import { errorsIn, FormEnd, SettingForm, useTyped } from "../setting-form.tsx";

type Answer = Settings["cannedAnswers"][number];

const nothing = { title: "", text: "" };

/** Sample values for the preview. */
const example = {
  customerName: "Mrs Siân Rhys",
  orderNumber: "7K3M-Q9TX-2HVD4",
  status: statusInSentence("Processing"),
  expectedDespatch: "Thursday 10 December",
} as const;

/** Canned answers to common questions. */
export function AnswersView({ settings, propose }: ViewProps) {
  const [chosen, setChosen] = useState<string>();
  const answer = settings.cannedAnswers.find(({ answerId }) => answerId === chosen);
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,16rem)_minmax(0,1fr)]">
      <Panel title="Answers">
        <ul className="flex flex-col">
          {settings.cannedAnswers.map(({ answerId, title }) => (
            <li key={answerId}>
              <button
                type="button"
                className="rail-link w-full cursor-pointer text-left"
                aria-current={answerId === answer?.answerId ? "page" : undefined}
                onClick={() => setChosen(answerId)}
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
        <button
          type="button"
          className="button button-dense button-outlined mt-3"
          onClick={() => setChosen(undefined)}
        >
          New answer
        </button>
      </Panel>
      <AnswerForm key={answer?.answerId ?? "new"} answer={answer} settings={settings} propose={propose} />
    </div>
  );
}

function AnswerForm({ answer, settings, propose }: ViewProps & { answer: Answer | undefined }) {
  const stored = answer ? { title: answer.title, text: answer.text } : nothing;
  const typed = useTyped(stored, settings.revision);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wrong = errorsIn(cannedAnswer, typed.value);
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    const written = cannedAnswer.parse(typed.value);
    propose({
      title: answer ? `Change ‘${answer.title}’?` : `Add ‘${written.title}’?`,
      whatHappens: "Staff can insert this text in replies from now on. Messages already sent do not change.",
      confirmLabel: answer ? "Change answer" : "Add answer",
      change: {
        path: "canned-answers",
        body: { ...(answer && { answerId: answer.answerId }), answer: written },
      },
      seen: typed.seen,
      onDone: typed.reset,
      done: answer ? `‘${written.title}’ has been changed.` : `‘${written.title}’ has been added.`,
      undo: ({ cannedAnswers }) => undoOf(answer, settings, cannedAnswers),
    });
  };
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <Panel
        title={answer ? "Change answer" : "New answer"}
        actions={answer && <Remove answer={answer} settings={settings} propose={propose} />}
      >
        <SettingForm className="flex max-w-[42rem] flex-col gap-4" onSubmit={submit}>
          <AnswerFields value={typed.value} errors={errors} onChange={typed.set} />
          <FormEnd typed={typed} action="Review and save" />
        </SettingForm>
      </Panel>
      <Panel title="Preview">
        <Preview text={typed.value.text} companyName={settings.company.tradingName} />
      </Panel>
    </div>
  );
}

interface AnswerFieldsProps {
  value: CannedAnswer;
  errors: Readonly<Record<string, string>>;
  onChange: (value: CannedAnswer) => void;
}

function AnswerFields({ value, errors, onChange }: AnswerFieldsProps) {
  return (
    <>
      <DenseField
        label="Title"
        error={errors.title}
        value={value.title}
        onChange={(event) => onChange({ ...value, title: event.target.value })}
      />
      <DenseArea
        label="Text"
        hint={<Variables />}
        error={errors.text}
        rows={12}
        value={value.text}
        onChange={(event) => onChange({ ...value, text: event.target.value })}
      />
    </>
  );
}

/** Restores the earlier text, or removes a new answer. */
function undoOf(answer: Answer | undefined, before: Settings, after: readonly Answer[]) {
  if (answer) {
    const { answerId, title, text } = answer;
    return { path: "canned-answers", body: { answerId, answer: { title, text } } } as const;
  }
  const known = new Set(before.cannedAnswers.map(({ answerId }) => answerId));
  const added = after.find(({ answerId }) => !known.has(answerId));
  return added && ({ path: "canned-answers/remove", body: { answerId: added.answerId } } as const);
}

function Remove({ answer, settings, propose }: ViewProps & { answer: Answer }) {
  const { answerId, title, text } = answer;
  return (
    <button
      type="button"
      className="button button-dense button-danger"
      onClick={() =>
        propose({
          title: `Remove ‘${title}’?`,
          whatHappens: "Staff can no longer insert it. Its text stays in the history.",
          confirmLabel: "Remove",
          danger: true,
          change: { path: "canned-answers/remove", body: { answerId } },
          seen: settings.revision,
          done: `‘${title}’ has been removed.`,
          undo: () => ({ path: "canned-answers", body: { answerId, answer: { title, text } } }),
        })
      }
    >
      Remove
    </button>
  );
}

function Variables() {
  return (
    <>
      Plain text, without personal data. You can use these variables:{" "}
      {Object.entries(cannedVariables).map(([name, words], at) => (
        <span key={name}>
          {at > 0 && ", "}
          <code className="font-mono">{`{{${name}}}`}</code> {words}
        </span>
      ))}
      .
    </>
  );
}

function Preview({ text, companyName }: { text: string; companyName: string }) {
  if (text.trim() === "") return <p className="text-muted">The preview appears as you write.</p>;
  return (
    <p className="max-w-[66ch] border-l-3 border-hairline pl-4 wrap-anywhere whitespace-pre-wrap">
      {fillCannedAnswer(text, { ...example, companyName }).text}
    </p>
  );
}
