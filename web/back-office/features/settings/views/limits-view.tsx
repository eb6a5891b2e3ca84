import { type FormEvent, type ReactNode, useState } from "react";
import { formatPounds } from "../../../../../domain/pricing/money.ts";
import { DenseField } from "../../../ui/dense-field.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { FormEnd, penceIn, poundsText, type Typed, useTyped } from "../setting-form.tsx";
import type { ViewProps } from "../use-proposals.tsx";

/** From which refund on a second person is needed, and how long contact data is kept. */
export function LimitsView(props: ViewProps) {
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
      <RefundLimit {...props} />
      <Retention {...props} />
    </div>
  );
}

interface OneFieldProps {
  title: string;
  about: ReactNode;
  label: string;
  hint: string;
  typed: Typed<string>;
  /** Says what is wrong, or proposes the change. */
  submit: (text: string) => string | undefined;
}

function OneField({ title, about, label, hint, typed, submit }: OneFieldProps) {
  const [error, setError] = useState<string>();
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setError(submit(typed.value));
  };
  return (
    <Panel title={title}>
      <p className="mb-4 max-w-[60ch] text-13 text-muted">{about}</p>
      <form className="flex max-w-[24rem] flex-col gap-4" noValidate onSubmit={onSubmit}>
        <DenseField
          label={label}
          hint={hint}
          error={error}
          inputMode="decimal"
          className="max-w-36 tabular-nums"
          value={typed.value}
          onChange={(event) => typed.set(event.target.value)}
        />
        <FormEnd typed={typed} action="Review change" />
      </form>
    </Panel>
  );
}

function RefundLimit({ settings, propose }: ViewProps) {
  const { refundLimitPence: now, revision } = settings;
  const typed = useTyped(poundsText(now), revision);
  const submit = (text: string): string | undefined => {
    const limit = penceIn(text);
    if (limit === undefined || limit > 10_000_00) return "Enter an amount from £0 to £10,000";
    propose({
      title: `Refunds above ${formatPounds(limit)} need a second person?`,
      whatHappens: `Until now it is ${formatPounds(now)}. Refunds that wait for approval already keep waiting. What the rules refund by themselves is not affected.`,
      confirmLabel: "Change the limit",
      change: { path: "refund-limit", body: { refundLimitPence: limit } },
      seen: typed.seen,
      done: `Refunds above ${formatPounds(limit)} need a second person.`,
      undo: () => ({ path: "refund-limit", body: { refundLimitPence: now } }),
    });
    return undefined;
  };
  return (
    <OneField
      title="Refund limit"
      about="A refund that staff choose and that is above this is proposed by one person and approved by another, a manager."
      label="Limit in pounds"
      hint="0 makes every refund wait for a second person."
      typed={typed}
      submit={submit}
    />
  );
}

function Retention({ settings, propose }: ViewProps) {
  const { contactRetentionDays: now, revision, retentionBounds } = settings;
  const { leastDays, mostDays } = retentionBounds;
  const typed = useTyped(String(now), revision);
  const submit = (text: string): string | undefined => {
    const days = /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (!(days >= leastDays && days <= mostDays))
      return `Enter a number of days from ${leastDays} to ${mostDays}`;
    propose({
      title: `Keep contact data ${days} days instead of ${now}?`,
      whatHappens:
        days < now
          ? `Names, addresses and messages of orders and conversations that ended more than ${days} days ago are destroyed within a day. What is destroyed cannot be brought back, whatever you set afterwards.`
          : `What would have been destroyed after ${now} days is kept until ${days} days after the end. What is destroyed already stays so.`,
      confirmLabel: days < now ? "Shorten, and destroy" : "Keep longer",
      danger: days < now,
      change: { path: "retention", body: { contactRetentionDays: days } },
      seen: typed.seen,
      done: `Contact data is kept ${days} days.`,
      undo: () => ({ path: "retention", body: { contactRetentionDays: now } }),
    });
    return undefined;
  };
  return (
    <OneField
      title="Retention of contact data"
      about={`How long names, addresses and messages are kept after an order or a conversation has ended. The environment of this installation gives ${mostDays} days; a setting may only shorten that.`}
      label="Days"
      hint={`From ${leastDays} to ${mostDays}. Application data is destroyed right after submission, whatever stands here.`}
      typed={typed}
      submit={submit}
    />
  );
}
