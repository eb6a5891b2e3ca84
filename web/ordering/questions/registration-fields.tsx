import { type ReactNode, useEffect, useState } from "react";
import { birth } from "../../../domain/certificates/birth.ts";
import { reference as entry, location as place } from "../../../domain/certificates/certificate.ts";
import {
  registrationYears,
  type YearsRegistered,
} from "../../../domain/certificates/gro-reference/doubts.ts";
import {
  type GroReference,
  type ReferenceField,
  readGroReference,
} from "../../../domain/certificates/gro-reference/read-gro-reference.ts";
import { partWords } from "../../../domain/certificates/gro-reference/reference-parts.ts";
import { marriage } from "../../../domain/certificates/marriage.ts";
import { registrationLocations, yearOptions } from "../../../domain/forms/options.ts";
import type { CertificateType } from "../../../domain/order/vocabulary.ts";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { groFees } from "../../../domain/pricing/price-list.ts";
import { todayInLondon } from "../../ui/dates.ts";
import { optionsOf, yesNo } from "../../ui/fields/choice-fields.tsx";
import { FieldNotes, FieldQuestion } from "../../ui/fields/field.tsx";
import { YearBox } from "./date-fields.tsx";
import { Bound, type BoundField, BoundRadio, BoundSelect, wordsOf } from "./question-form.tsx";
import { QuestionCard } from "./step-form.tsx";

interface RegistrationFieldsProps {
  type: CertificateType;
  location: BoundField;
  known: BoundField;
  reference: BoundField;
  values: { groReferenceKnown: unknown; groReference?: string | null | undefined };
  /** The probable year of registration from the other answers, as typed. */
  registered: unknown;
  /** Names that a row of an index has beside the reference, as typed. */
  names: readonly string[];
  /** Asked for births only. */
  year?: { field: BoundField; value: string; onYear: (year: string) => void };
  /** Asked for marriages only. */
  district?: BoundField;
  /** The notice about another office. */
  children: ReactNode;
}

/** The register entry, and its index reference if known. */
export function RegistrationFields(props: RegistrationFieldsProps) {
  const { type, location, year, district, children } = props;
  return (
    <QuestionCard title="The entry in the register">
      <BoundSelect
        field={location}
        label={place.registrationLocation.label}
        hint={`Where the ${type.toLowerCase()} was registered`}
        options={optionsOf(registrationLocations)}
      />
      {children}
      {district && (
        <Bound field={district} {...wordsOf(marriage.fields.registrationDistrict)} autoComplete="off" />
      )}
      {year && <YearRegistered {...year} />}
      <ReferenceFields {...props} />
    </QuestionCard>
  );
}

/** The year of the entry; older years than the list's can be typed. */
function YearRegistered({ field, value, onYear }: NonNullable<RegistrationFieldsProps["year"]>) {
  return (
    <div className={`max-w-64 ${field.error ? "border-l-4 border-danger pl-4" : ""}`}>
      <YearBox
        label={birth.fields.yearRegistered.label}
        labelClass={`font-[600] ${field.error ? "text-danger" : ""}`}
        field={field}
        value={value}
        years={yearOptions(todayInLondon())}
        onYear={onYear}
      >
        <FieldNotes id={field.id} error={field.error} />
      </YearBox>
      <FieldQuestion id={field.id} question={field.question} />
    </div>
  );
}

/** Whether the reference is known, and the reference. */
function ReferenceFields({ type, known, reference, values, registered, names }: RegistrationFieldsProps) {
  return (
    <BoundRadio field={known} {...wordsOf(entry.groReferenceKnown)} options={yesNo}>
      {values.groReferenceKnown === "yes" && (
        <div className="mt-3">
          <Bound
            field={reference}
            {...wordsOf(entry.groReference)}
            figures
            autoComplete="off"
            spellCheck={false}
          />
          <ReferenceReading
            id={reference.id}
            pasted={values.groReference ?? ""}
            registered={registrationYears(type, registered)}
            names={names}
          />
        </div>
      )}
    </BoundRadio>
  );
}

/** Long enough that screen readers do not announce every keystroke. */
const announcedAfterMs = 700;

interface ReferenceReadingProps {
  id: string;
  /** The reference as typed or pasted, which is sent unchanged. */
  pasted: string;
  /** Registration years from the other answers. */
  registered: YearsRegistered | undefined;
  names: readonly string[];
}

/**
 * Our reading of a GRO reference: its parts, doubts and usefulness. Refuses nothing.
 */
function ReferenceReading({ id, pasted, registered, names }: ReferenceReadingProps) {
  const given = pasted.trim() !== "";
  const reading = readGroReference(pasted, { today: todayInLondon(), registered, names });
  return (
    <>
      <p role="status" className="sr-only">
        {useSettled(given ? spoken(reading) : "")}
      </p>
      {given && (
        <section
          aria-label="How we read your reference"
          id={`${id}-reading`}
          className="mt-2.5 rounded-4 bg-tint p-4 text-14"
        >
          <Parts reading={reading} />
          <Warnings reading={reading} />
        </section>
      )}
    </>
  );
}

function Parts({ reading }: { reading: GroReference }) {
  const { fields, speedsUp } = reading;
  if (!isUnderstood(reading)) return null;
  return (
    <dl className="grid gap-x-4 sm:grid-cols-[minmax(0,8.5rem)_minmax(0,1fr)] sm:gap-y-1.5">
      {fields.map((field) => (
        <Row key={field.name} name={capital(partWords[field.name])}>
          {shownAs(field)}
        </Row>
      ))}
      {speedsUp && (
        <Row name="What it does">
          {speedsUp} {withoutSearchFee}
        </Row>
      )}
    </dl>
  );
}

const withoutSearchFee = `The receipt shows the GRO’s search fee of ${formatPounds(groFees.searchPence)} only without a reference.`;

const shownAs = ({ name, value, words }: ReferenceField): ReactNode => {
  if (name === "quarter") return words;
  return (
    <span translate="no" className={name === "district" ? "" : "figures"}>
      {value}
    </span>
  );
};

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="font-[600]">{name}</dt>
      <dd className="min-w-0 break-words max-sm:mb-1.5">{children}</dd>
    </>
  );
}

function Warnings({ reading }: { reading: GroReference }) {
  const { warnings } = reading;
  if (warnings.length === 0) return null;
  return (
    <ul className={`space-y-1 ${isUnderstood(reading) ? "mt-3 border-t border-hairline pt-3" : ""}`}>
      {warnings.map(({ message }) => (
        <li key={message}>{message}</li>
      ))}
      <li className="text-muted">You can still continue: we’ll send what you entered.</li>
    </ul>
  );
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Words without figures are no reference, even if they contain a district. */
const isUnderstood = ({ shape }: GroReference): boolean => shape !== undefined;

const spoken = ({ shape, fields, warnings, speedsUp }: GroReference): string =>
  [
    ...(shape ? fields : []).map(({ words }) => `${words}.`),
    ...warnings.map(({ message }) => message),
    speedsUp ?? "",
  ]
    .join(" ")
    .trim();

/** A debounced text. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), announcedAfterMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
