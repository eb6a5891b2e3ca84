import type { ReactNode } from "react";
import { CertificateName } from "../certificate-name.tsx";
import type { DraftCertificate } from "../draft/draft.ts";
import { type KnownAnswers, knownAnswers } from "../draft/known-answers.ts";
import { fieldId } from "./question-form.tsx";

interface OffersProps<Name extends string> {
  /** The other certificates of the order. */
  others: readonly DraftCertificate[];
  /** The questions, in the order of the page. */
  names: readonly Name[];
  values: Readonly<Partial<Record<Name, unknown>>>;
  /** Answers one question. */
  onUse: (name: Name, answer: string) => void;
}

/** Buttons that fill in a surname that another certificate of the order has. Nothing is filled in without them. */
export function SurnameOffers<Name extends string>(props: OffersProps<Name>) {
  return (
    <Offers {...props}>
      {({ answers }) => (
        <>
          {"Use the surname "}
          <span translate="no">{answers[0]?.answer}</span>
        </>
      )}
    </Offers>
  );
}

/** The same for parents. */
export function ParentsOffers<Name extends string>(props: OffersProps<Name>) {
  return (
    <Offers {...props}>
      {({ certificate }) => (
        <>
          {"Use the same parents as on the "}
          <CertificateName certificate={certificate} within />
        </>
      )}
    </Offers>
  );
}

/** The first field that was filled in gets the focus: the button goes once it would change nothing. */
function Offers<Name extends string>({
  others,
  names,
  values,
  onUse,
  children,
}: OffersProps<Name> & { children: (known: KnownAnswers<Name>) => ReactNode }) {
  const offers = knownAnswers(others, names).filter(({ answers }) =>
    answers.some(({ name, answer }) => values[name] !== answer),
  );
  const use = ({ answers }: KnownAnswers<Name>): void => {
    for (const { name, answer } of answers) onUse(name, answer);
    document.getElementById(fieldId(answers[0]?.name ?? ""))?.focus();
  };
  return offers.map((known) => (
    <button
      key={known.certificate.id}
      type="button"
      className="button button-outlined max-w-full self-start text-left whitespace-normal"
      onClick={() => use(known)}
    >
      <span>{children(known)}</span>
    </button>
  ));
}
