import { useEffect } from "react";
import { Link } from "react-router-dom";
import { copiesLabel, quantities } from "../../../../domain/forms/options.ts";
import { serviceTypeOf } from "../../../../domain/forms/order-payload.ts";
import { draftStore, useDraft } from "../../../ordering/current-order.ts";
import type { Draft, DraftType } from "../../../ordering/draft/draft.ts";
import { QuestionCard, StepForm } from "../../../ordering/questions/step-form.tsx";
import { pages } from "../../../paths.ts";
import { useOrderable } from "../../../site/config.ts";
import { SelectField } from "../../../ui/fields/select-field.tsx";
import { PageHeading } from "../../../ui/page-heading.tsx";
import { HonestPrice } from "../../../ui/price-notes.tsx";
import type { StepProps } from "../steps.tsx";
import { costOf, useWizardPrices } from "../wizard-prices.ts";
import { ServiceLevelCards, TypeCards } from "./choice-cards.tsx";

const copyOptions = quantities.map((number) => ({ value: String(number), words: copiesLabel(number) }));
const usualCopies = 1;

/** Step 1: which certificate, how many copies, how fast. */
export default function SelectDocumentStep({ navigation }: StepProps) {
  const draft = useDraft();
  const { certificateOptions: options, certificateType } = draft;
  const { loading, unitPrices } = useWizardPrices();
  const copies = options.fullCertificates;
  const isOrderable = useOrderable()(certificateType);
  const prices = unitPrices(certificateType);
  const { unitPence } = costOf(draft, prices);
  const choose = (part: Choice): void => save(draft, { copies, ...part });
  // A type is always selected here, with at least one copy: the summary counts what the page shows.
  useEffect(() => {
    const stored = draftStore.current();
    if (stored.certificateOptions.fullCertificates === 0) save(stored, { type: stored.certificateType });
  }, []);
  return (
    <>
      <PageHeading title="Select Document">Select Document Type</PageHeading>
      <p className="mt-3 max-w-measure text-18 text-muted">
        Choose the type of certificate you need to file. We'll help you through the entire process quickly and
        securely.
      </p>
      <StepForm
        errors={[]}
        attempt={0}
        action="Continue to Your Details"
        disabled={copies === 0 || !isOrderable}
        onSubmit={(event) => {
          event.preventDefault();
          choose({});
          navigation.next();
        }}
      >
        <TypeCards selected={certificateType} onSelect={(type) => choose({ type })} />
        <QuestionCard title="Certificate Options">
          <CopiesField copies={copies} onSelect={(chosen) => choose({ copies: chosen })} />
          <ServiceLevelCards
            prices={prices}
            loading={loading}
            isPriority={options.isPriority}
            onSelect={(isPriority) => choose({ isPriority })}
          />
        </QuestionCard>
        <HonestPrice chosen={{ level: options.isPriority ? "priority" : "standard", unitPence }} />
      </StepForm>
    </>
  );
}

/** 1 to 5, or none. */
function CopiesField({ copies, onSelect }: { copies: number; onSelect: (copies: number) => void }) {
  return (
    <div>
      <div className="max-w-64">
        <SelectField
          id="copies"
          label="Number of Copies"
          options={copyOptions}
          placeholder="Copies"
          value={copies === 0 ? "" : String(copies)}
          onChange={(event) => onSelect(Number(event.target.value))}
        />
      </div>
      <p className="mt-2 text-14 text-muted">
        Full certified copies.{" "}
        <Link className="link" to={`${pages.services}#what-you-get`}>
          See what you get
        </Link>
      </p>
    </div>
  );
}

interface Choice {
  type?: DraftType;
  copies?: number;
  isPriority?: boolean;
}

/** Saves each choice at once; choosing a type without copies means one copy. */
function save(
  draft: Draft,
  { type, copies = draft.certificateOptions.fullCertificates, isPriority }: Choice,
): void {
  const priority = isPriority ?? draft.certificateOptions.isPriority;
  const isOther = type !== undefined && type !== draft.certificateType;
  draftStore.update({
    certificateType: type ?? draft.certificateType,
    // What was saved of the other certificate stays, for its link.
    savedKeys: isOther ? [] : draft.savedKeys,
    certificateOptions: {
      ...draft.certificateOptions,
      fullCertificates: type !== undefined && copies === 0 ? usualCopies : copies,
      isPriority: priority,
      serviceType: serviceTypeOf(priority),
    },
  });
}
