import { type FormEvent, useState } from "react";
import { companyDetails } from "../../../../../domain/settings/settings-texts.ts";
import { DenseField } from "../../../ui/dense-field.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { errorsIn, FormEnd, useTyped } from "../setting-form.tsx";
import type { ViewProps } from "../use-proposals.tsx";

const fields = [
  { name: "tradingName", label: "Trading name", hint: "Shown in every heading, title and email." },
  {
    name: "supportEmail",
    label: "Support email",
    hint: "We send emails from this address, and replies go to it.",
  },
  {
    name: "postalAddress",
    label: "Postal address",
    hint: "On one line, without the name. Shown at the foot of every page and email, and on the cancellation form.",
  },
  { name: "companyNumber", label: "Company number", hint: "Leave blank if there is none." },
] as const;

/** Company details that customers see. */
export function CompanyView({ settings, propose }: ViewProps) {
  const typed = useTyped(settings.company, settings.revision);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wrong = errorsIn(companyDetails, typed.value);
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    const before = settings.company;
    propose({
      title: "Change the company details?",
      whatHappens:
        "Every page and email shows the new details from now on. Emails already sent do not change.",
      confirmLabel: "Change details",
      change: { path: "company", body: { company: companyDetails.parse(typed.value) } },
      seen: typed.seen,
      done: "The company details have been changed.",
      undo: () => ({ path: "company", body: { company: before } }),
    });
  };
  return (
    <Panel title="Company details">
      <form className="flex max-w-[36rem] flex-col gap-4" noValidate onSubmit={submit}>
        {fields.map(({ name, label, hint }) => (
          <DenseField
            key={name}
            label={label}
            hint={hint}
            error={errors[name]}
            value={typed.value[name]}
            onChange={(event) => typed.set({ ...typed.value, [name]: event.target.value })}
          />
        ))}
        <FormEnd typed={typed} action="Review change" />
      </form>
    </Panel>
  );
}
