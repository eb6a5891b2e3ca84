import { type ReactNode, useState } from "react";
import type { DeletionReceipt } from "../../../../../contract/orders/tracking.ts";
import type {
  Holding,
  OrderPage,
  RevealedContact,
  RevealedSections,
} from "../../../../../contract/staff-orders/order-page.ts";
import {
  afterWords,
  destroyedWords,
  groupedFingerprint,
  probeWords,
  ruleWords,
} from "../../../../../domain/order/personal-data/deletion-words.ts";
import type { RevealReason } from "../../../../../domain/order/vocabulary.ts";
import { FactLine, Facts, Panel } from "../../../ui/page-parts.tsx";
import { Masked, When } from "../../../ui/values.tsx";
import { RevealDialog, type Reveals } from "./reveals.tsx";

interface PersonalPanelsProps {
  readonly order: OrderPage;
  readonly reveals: Reveals;
}

const questionLines = [["What it asks", 24]] as const;

const contactLines = [
  ["Full name", 12],
  ["Email", 18],
  ["Postal address", 20],
  ["Phone", 11],
] as const;

const applicationLines = [
  ["Person", 16],
  ["Date", 9],
  ["Place", 13],
] as const;

/** Contact data and application: masked until revealed with a reason; a receipt once destroyed. */
export function PersonalPanels({ order, reveals }: PersonalPanelsProps) {
  const { personal, actions } = order;
  const may = (action: string) => actions.some((offer) => offer.action === action && offer.allowed);
  return (
    <>
      {personal.question && (
        <HeldPanel
          title="Question from the GRO"
          holding={{ state: "sealed", receipt: null }}
          lines={questionLines}
          shownAt={reveals.question?.at ?? null}
          mayReveal={may("revealQuestion")}
          what="You will see what the GRO asks."
          onReveal={reveals.revealQuestion}
          onHide={reveals.hideQuestion}
        >
          <p className="whitespace-pre-line wrap-anywhere">{reveals.question?.data.question}</p>
        </HeldPanel>
      )}
      <HeldPanel
        title="Contact"
        holding={personal.contact}
        lines={contactLines}
        shownAt={reveals.contact?.at ?? null}
        mayReveal={may("revealContact")}
        what={`You will see the name, address, email and phones${personal.notes > 0 ? ", with the notes" : ""}.`}
        onReveal={reveals.revealContact}
        onHide={reveals.hideContact}
        extra={personal.notes > 0 && reveals.contact === null && <NotesHidden count={personal.notes} />}
      >
        {reveals.contact && <ContactShown {...reveals.contact.data} />}
      </HeldPanel>
      <HeldPanel
        title="Application"
        holding={personal.application}
        lines={applicationLines}
        shownAt={reveals.application?.at ?? null}
        mayReveal={may("revealApplication")}
        what="You will see the certificate details and the signature."
        onReveal={reveals.revealApplication}
        onHide={reveals.hideApplication}
      >
        {reveals.application && <Sections sections={reveals.application.data.sections} />}
      </HeldPanel>
    </>
  );
}

/** What a panel reveals, in a sentence. */
const dialogNames = {
  Contact: "contact data",
  Application: "the application",
  "Question from the GRO": "the GRO’s question",
} as const;

interface HeldPanelProps {
  readonly title: keyof typeof dialogNames;
  readonly holding: Holding;
  readonly lines: readonly (readonly [label: string, length: number])[];
  readonly shownAt: string | null;
  readonly mayReveal: boolean;
  readonly what: string;
  readonly onReveal: (reason: RevealReason) => Promise<unknown>;
  readonly onHide: () => void;
  readonly extra?: ReactNode;
  readonly children: ReactNode;
}

function HeldPanel(props: HeldPanelProps) {
  const { title, holding, lines, shownAt, mayReveal, what, onReveal, onHide, extra, children } = props;
  const [asking, setAsking] = useState(false);
  const { state, receipt } = holding;
  if (state !== "sealed") {
    return (
      <Panel title={title} className="mt-6">
        {receipt ? <Destroyed receipt={receipt} /> : <p className="text-muted">Not entered yet.</p>}
      </Panel>
    );
  }
  // Not printed: personal data stays on screen.
  return (
    <Panel title={title} className="no-print mt-6">
      {shownAt === null ? (
        <Facts>
          {lines.map(([label, length]) => (
            <FactLine key={label} label={label}>
              <Masked value={null} length={length} />
            </FactLine>
          ))}
        </Facts>
      ) : (
        children
      )}
      {extra}
      <div className="no-print mt-2 flex flex-wrap items-center gap-x-3">
        {shownAt === null && mayReveal && (
          <button
            type="button"
            className="link inline-flex min-h-7 cursor-pointer items-center"
            onClick={() => setAsking(true)}
          >
            Reveal with a reason…<span className="sr-only"> {title}</span>
          </button>
        )}
        {shownAt !== null && (
          <>
            <span role="status" className="text-13 text-muted">
              Revealed at <When at={shownAt} show="time" /> and logged.
            </span>
            <button
              type="button"
              className="link inline-flex min-h-7 cursor-pointer items-center text-13"
              onClick={onHide}
            >
              Hide<span className="sr-only"> {title}</span>
            </button>
          </>
        )}
      </div>
      {asking && (
        <RevealDialog
          title={`Reveal ${dialogNames[title]}`}
          what={what}
          confirmLabel="Reveal"
          onReveal={onReveal}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}

function NotesHidden({ count }: { count: number }) {
  return (
    <p className="mt-2 text-13 text-muted">
      {count === 1 ? "One note" : `${count} notes`}, shown with the contact data.
    </p>
  );
}

function ContactShown({ sections, groReferences, bankTransfers, notes }: RevealedContact) {
  return (
    <>
      <Sections sections={sections} headless />
      {groReferences.length + bankTransfers.length > 0 && (
        <div className={sections.length > 1 ? "mt-4" : "mt-1.5"}>
          <Facts>
            {groReferences.length > 0 && (
              <FactLine label="GRO reference">
                <span className="figures">{groReferences.join(", ")}</span>
              </FactLine>
            )}
            {bankTransfers.length > 0 && (
              <FactLine label="Bank transfer">
                <span className="figures wrap-anywhere">{bankTransfers.join(", ")}</span>
              </FactLine>
            )}
          </Facts>
        </div>
      )}
      {notes.length > 0 && (
        <div className="mt-4">
          <h3>Notes</h3>
          <ul className="mt-1 flex flex-col gap-3">
            {notes.map(({ revision, at, by, text }) => (
              <li key={revision ?? text} className="border-l-3 border-hairline pl-3">
                <p className="whitespace-pre-line wrap-anywhere">{text}</p>
                <p className="text-13 text-muted">
                  {by} · <When at={at} />
                </p>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** @param headless leaves out the heading of the first section */
function Sections({ sections, headless = false }: { sections: RevealedSections; headless?: boolean }) {
  return (
    <div className="flex flex-col gap-4">
      {sections.map(({ heading, facts }, index) => (
        <div key={heading}>
          {!(headless && index === 0) && <h3 className="mb-1.5">{heading}</h3>}
          <Facts>
            {facts.map(({ name, value }) => (
              <FactLine key={name} label={name}>
                <Masked value={value} />
              </FactLine>
            ))}
          </Facts>
        </div>
      ))}
    </div>
  );
}

function Destroyed({ receipt }: { receipt: DeletionReceipt }) {
  const { secondsAfterSubmission: seconds } = receipt;
  const after = afterWords(seconds);
  return (
    <details className="group">
      <summary className="inline-flex min-h-6 cursor-pointer flex-wrap items-center gap-x-2">
        <span className="rounded-4 bg-fulfilled-ground px-2 py-0.5 text-13 font-[500] text-fulfilled">
          {seconds === null ? "destroyed" : `destroyed ${seconds} s after submission`}
        </span>
        <span className="text-13 text-primary group-hover:underline">Receipt</span>
      </summary>
      <div className="mt-2 border-l-3 border-fulfilled pl-3 text-13">
        <Facts>
          <FactLine label="Destroyed">
            {destroyedWords(receipt.destroyed)} (
            {receipt.records === 1 ? "1 record" : `${receipt.records} records`})
          </FactLine>
          <FactLine label="When">
            <When at={receipt.at} />
          </FactLine>
          {after && <FactLine label="After">{after}</FactLine>}
          <FactLine label="Because">{ruleWords(receipt.rule)}</FactLine>
          <FactLine label="Check">{probeWords}</FactLine>
          <FactLine label="Key">
            <span className="figures">{groupedFingerprint(receipt.keyFingerprint)}</span>
          </FactLine>
        </Facts>
      </div>
    </details>
  );
}
