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
      title: `Refunds above ${formatPounds(limit)} need a second person’s approval?`,
      whatHappens: `The limit is ${formatPounds(now)} now. Refunds already waiting for approval keep waiting. Automatic refunds are not affected.`,
      confirmLabel: "Change the limit",
      change: { path: "refund-limit", body: { refundLimitPence: limit } },
      seen: typed.seen,
      done: `Refunds above ${formatPounds(limit)} need a second person’s approval.`,
      undo: () => ({ path: "refund-limit", body: { refundLimitPence: now } }),
    });
    return undefined;
  };
  return (
    <OneField
      title="Refund limit"
      about="One person proposes a refund above this limit, and a manager must approve it. This applies only to refunds that staff choose to make."
      label="Limit in pounds"
      hint="Enter 0 if every refund needs a second person’s approval."
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
          ? `Names, addresses and messages of orders and conversations that ended more than ${days} days ago are destroyed within a day. You cannot bring destroyed data back by changing this setting later.`
          : `Data that would have been destroyed after ${now} days is now kept for ${days} days. Data already destroyed cannot be recovered.`,
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
      about={`How long names, addresses and messages are kept after an order or a conversation has ended. This installation’s environment sets ${mostDays} days; this setting can only shorten it.`}
      label="Days"
      hint={`From ${leastDays} to ${mostDays}. This does not affect application data, which is destroyed right after submission.`}
      typed={typed}
      submit={submit}
    />
  );
}
