import { type FormEvent, useState } from "react";
import type { Settings } from "../../../../../contract/settings/settings.ts";
import {
  mostTestimonials,
  type Testimonial,
  testimonials,
} from "../../../../../domain/settings/settings-texts.ts";
import { DenseArea, DenseField } from "../../../ui/dense-field.tsx";
import { Panel } from "../../../ui/page-parts.tsx";
import type { Proposal, ViewProps } from "../proposals.tsx";
import { errorsIn, FormEnd, SettingForm, useTyped } from "../setting-form.tsx";
import type { SettingChange } from "../setting-history.tsx";

interface Typed {
  readonly quote: string;
  readonly name: string;
  readonly source: string;
  readonly url: string;
}

const nothing: Typed = { quote: "", name: "", source: "", url: "" };
const fields = [
  { name: "name", label: "Name", hint: "The name that they agreed to show." },
  {
    name: "source",
    label: "Source",
    hint: "Where it can be checked: a review site, or a letter and its date.",
  },
  { name: "url", label: "Link (optional)", hint: "https:// only." },
] as const;

const typedOf = (stored: Settings["testimonials"][number]): Typed => ({ ...stored, url: stored.url ?? "" });

/** Omits an empty link, which would be invalid. */
const withoutEmptyLink = ({ url, ...quote }: Typed) =>
  url.trim() === "" ? quote : { ...quote, url: url.trim() };

/** The proposal to publish a list. */
function publishing(quotes: readonly Testimonial[], before: Settings["testimonials"]) {
  const isNone = quotes.length === 0;
  return {
    title: isNone
      ? "Remove all testimonials?"
      : `Show ${quotes.length === 1 ? "1 testimonial" : `${quotes.length} testimonials`} on the home page?`,
    whatHappens: isNone
      ? "The home page no longer shows testimonials."
      : "The home page shows these at once, each with its source. Fake reviews are illegal: each must come from a real customer and be found at its source.",
    confirmLabel: "Publish",
    change: { path: "testimonials", body: { testimonials: [...quotes] } },
    done: "The home page has been changed.",
    undo: (): SettingChange => ({ path: "testimonials", body: { testimonials: before } }),
  } as const satisfies Partial<Proposal>;
}

export function TestimonialsView({ settings, propose }: ViewProps) {
  const typed = useTyped(settings.testimonials.map(typedOf), settings.revision);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const setOne = (at: number, one: Typed): void =>
    typed.set(typed.value.map((known, index) => (index === at ? one : known)));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const quotes = typed.value.map(withoutEmptyLink);
    const wrong = errorsIn(testimonials, quotes);
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    propose({
      ...publishing(testimonials.parse(quotes), settings.testimonials),
      seen: typed.seen,
      onDone: typed.reset,
    });
  };
  return (
    <Panel title="What customers say">
      <SettingForm className="flex max-w-[42rem] flex-col gap-6" onSubmit={submit}>
        {typed.value.length === 0 && (
          <p className="text-muted">
            There are no testimonials. The home page shows its own figures instead.
          </p>
        )}
        {typed.value.map((one, at) => (
          <Fields
            // biome-ignore lint/suspicious/noArrayIndexKey: a quote has no id.
            key={at}
            number={at + 1}
            one={one}
            errorOf={(name) => errors[`${at}.${name}`]}
            onChange={(changed) => setOne(at, changed)}
            onRemove={() => typed.set(typed.value.filter((_, index) => index !== at))}
          />
        ))}
        {typed.value.length < mostTestimonials && (
          <button
            type="button"
            className="button button-dense button-outlined self-start"
            onClick={() => typed.set([...typed.value, nothing])}
          >
            Add testimonial
          </button>
        )}
        <FormEnd typed={typed} action="Review and publish" />
      </SettingForm>
    </Panel>
  );
}

interface FieldsProps {
  number: number;
  one: Typed;
  errorOf: (name: keyof Typed) => string | undefined;
  onChange: (one: Typed) => void;
  onRemove: () => void;
}

function Fields({ number, one, errorOf, onChange, onRemove }: FieldsProps) {
  return (
    <fieldset className="flex flex-col gap-3 border-l border-hairline pl-4">
      <legend className="float-left mb-1 font-[600]">Testimonial {number}</legend>
      <DenseArea
        label="Quote"
        error={errorOf("quote")}
        rows={3}
        value={one.quote}
        onChange={(event) => onChange({ ...one, quote: event.target.value })}
      />
      {fields.map(({ name, label, hint }) => (
        <DenseField
          key={name}
          label={label}
          hint={hint}
          error={errorOf(name)}
          value={one[name]}
          onChange={(event) => onChange({ ...one, [name]: event.target.value })}
        />
      ))}
      <button type="button" className="button button-dense button-quiet self-start" onClick={onRemove}>
        Remove<span className="sr-only"> testimonial {number}</span>
      </button>
    </fieldset>
  );
}
