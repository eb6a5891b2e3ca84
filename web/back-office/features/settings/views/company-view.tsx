import { type ChangeEvent, type FormEvent, useState } from "react";
import { placesOfRegistration } from "../../../../../domain/settings/company.ts";
import { enteredCompany } from "../../../../../domain/settings/settings-texts.ts";
import { DenseField, DenseSelect } from "../../../ui/dense-field.tsx";
import { Panel } from "../../../ui/page-parts.tsx";
import type { ViewProps } from "../proposals.tsx";
import { errorsIn, FormEnd, SettingForm, useTyped } from "../setting-form.tsx";

const optional = "Not shown if left blank.";

const fields = [
  { name: "tradingName", label: "Trading name", hint: "Shown in every heading, title and email." },
  {
    name: "companyName",
    label: "Registered company name",
    hint: "The company behind the trading name, like Ash and Oak Certificates Ltd.",
  },
  { name: "companyNumber", label: "Company number", hint: "8 characters, as Companies House has it." },
  { name: "registeredIn", label: "Registered in", hint: undefined },
  {
    name: "vatNumber",
    label: "VAT registration number",
    hint: "Leave blank if the company is not registered for VAT: receipts then say that none was charged.",
  },
  {
    name: "registeredOffice",
    label: "Registered office",
    hint: "On one line. Leave blank if it is the postal address.",
  },
  {
    name: "postalAddress",
    label: "Postal address",
    hint: "On one line, without the name, with the postcode. Shown at the foot of every page and email, and on the cancellation form.",
  },
  {
    name: "supportEmail",
    label: "Support email",
    hint: "We send emails from this address. Replies come to it, unless incoming mail is set up: then they appear as tickets.",
  },
  { name: "telephone", label: "Telephone", hint: `A UK number at the basic rate. ${optional}` },
  {
    name: "telephoneHours",
    label: "Telephone hours",
    hint: `Like Monday to Friday, 9am to 5pm. ${optional}`,
  },
  {
    name: "replyWorkingDays",
    label: "Usual reply time, in working days",
    hint: `From 1 to 10. ${optional}`,
  },
] as const;

const places = [
  { value: "", words: "Not set" },
  ...placesOfRegistration.map((place) => ({ value: place, words: place })),
];

/** Company details that customers see. */
export function CompanyView({ settings, propose }: ViewProps) {
  const typed = useTyped(settings.company, settings.revision);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wrong = errorsIn(enteredCompany, typed.value);
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    const before = settings.company;
    propose({
      title: "Change the company details?",
      whatHappens:
        "Every page and email shows the new details from now on. Emails already sent do not change.",
      confirmLabel: "Change details",
      change: { path: "company", body: { company: enteredCompany.parse(typed.value) } },
      seen: typed.seen,
      onDone: typed.reset,
      done: "The company details have been changed.",
      undo: () => ({ path: "company", body: { company: before } }),
    });
  };
  return (
    <Panel title="Company details">
      <SettingForm className="flex max-w-[36rem] flex-col gap-4" onSubmit={submit}>
        {fields.map(({ name, label, hint }) => {
          const field = {
            label,
            hint,
            error: errors[name],
            value: typed.value[name],
            onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
              typed.set({ ...typed.value, [name]: target.value }),
          };
          return name === "registeredIn" ? (
            <DenseSelect key={name} options={places} {...field} />
          ) : (
            <DenseField key={name} {...field} />
          );
        })}
        <FormEnd typed={typed} action="Review change" />
      </SettingForm>
    </Panel>
  );
}
