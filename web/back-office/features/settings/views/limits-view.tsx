import { type FormEvent, type ReactNode, useState } from "react";
import { formatPounds } from "../../../../../domain/pricing/money.ts";
import { DenseField } from "../../../ui/dense-field.tsx";
import { Panel } from "../../../ui/page-parts.tsx";
import type { ViewProps } from "../proposals.tsx";
import { FormEnd, penceIn, poundsText, SettingForm, type Typed, useTyped } from "../setting-form.tsx";

/** Refund limit and retention of contact data. */
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
  /** Proposes the change, or returns an error message. */
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
      <SettingForm className="flex max-w-[24rem] flex-col gap-4" onSubmit={onSubmit}>
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
      </SettingForm>
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
      title: `Refunds above ${formatPounds(limit)} need a second person’s approval?`,
      whatHappens: `The current limit is ${formatPounds(now)}. Refunds already awaiting approval still need it. Automatic refunds are not affected.`,
      confirmLabel: "Change the limit",
      change: { path: "refund-limit", body: { refundLimitPence: limit } },
      seen: typed.seen,
      onDone: typed.reset,
      done: `Refunds above ${formatPounds(limit)} need a second person’s approval.`,
      undo: () => ({ path: "refund-limit", body: { refundLimitPence: now } }),
    });
    return undefined;
  };
  return (
    <OneField
      title="Refund limit"
      about="A refund above this limit needs approval by a manager other than the person who proposed it. Automatic refunds are not affected."
      label="Limit in pounds"
      hint="Enter 0 to require approval for every refund."
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
      title: `Keep contact data for ${days} days instead of ${now}?`,
      whatHappens:
        days < now
          ? `Names, addresses and messages from orders and conversations that ended more than ${days} days ago are destroyed within a day. Changing this setting back does not recover them.`
          : `Data that would have been destroyed after ${now} days is now kept for ${days} days. Data already destroyed cannot be recovered.`,
      confirmLabel: days < now ? "Shorten and destroy" : "Keep longer",
      danger: days < now,
      change: { path: "retention", body: { contactRetentionDays: days } },
      seen: typed.seen,
      onDone: typed.reset,
      done: `Contact data is kept for ${days} days.`,
      undo: () => ({ path: "retention", body: { contactRetentionDays: now } }),
    });
    return undefined;
  };
  return (
    <OneField
      title="Retention of contact data"
      about={`How long names, addresses and messages are kept after an order or a conversation ends. The environment sets a maximum of ${mostDays} days; this setting can only shorten it.`}
      label="Days"
      hint={`From ${leastDays} to ${mostDays}. This does not affect application data, which is destroyed right after submission.`}
      typed={typed}
      submit={submit}
    />
  );
}
