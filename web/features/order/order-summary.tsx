import { ChevronUp } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { CertificateName, Subject } from "../../ordering/certificate-name.tsx";
import { draftStore, useDraft } from "../../ordering/current-order.ts";
import { certificatesOf, isFull } from "../../ordering/draft/basket.ts";
import type { DraftCertificate } from "../../ordering/draft/draft.ts";
import { official } from "../../paths.ts";
import { DespatchLine } from "../../ui/price-notes.tsx";
import { levelsOf, type Summary, type SummaryLine, summaryOf, summaryOfAll } from "./summary-lines.ts";
import { type Cost, type StepProps, useCosts } from "./wizard.tsx";

const detailsStep = 3;
const reviewStep = 4;

/** Beside the form on a wide screen; on a phone, an expandable bar at the bottom. */
export function OrderSummary({ navigation }: StepProps) {
  const wide = useWide();
  const { costs } = useCosts();
  const [only] = costs.length === 1 ? costs : [];
  const { title, total } = only ? summaryOf(only.certificate, only.unitPence) : summaryOfAll(costs);
  const receipt = <OrderReceipt costs={costs} navigation={navigation} />;
  if (wide) {
    return (
      <aside aria-labelledby="summary" className="sticky top-6 self-start">
        <div className="torn border border-hairline bg-surface px-6 pt-5">
          <h2 id="summary" className="text-22">
            Your order
          </h2>
          <p className="dotted-rule-after mt-1.5 mb-3 text-14 text-muted">
            Kept in this tab until you finish.
          </p>
          {receipt}
        </div>
      </aside>
    );
  }
  return (
    <FoldedSummary title={title} total={total}>
      {receipt}
    </FoldedSummary>
  );
}

interface OrderReceiptProps extends StepProps {
  costs: readonly Cost[];
}

/** What was taken out last, and where it stood. */
interface Removed {
  readonly certificate: DraftCertificate;
  readonly place: number;
}

function OrderReceipt({ costs, navigation }: OrderReceiptProps) {
  const draft = useDraft();
  const [removed, setRemoved] = useState<Removed | null>(null);
  const [only] = costs.length === 1 ? costs : [];
  const remove = (place: number): void => {
    const certificate = certificatesOf(draft)[place];
    if (!certificate) return;
    setRemoved({ certificate, place });
    draftStore.remove(place);
    // The form that was open has gone with its certificate.
    if (place === draft.place && navigation.step <= detailsStep) navigation.goTo(reviewStep);
  };
  const putBack = (): void => {
    if (removed) draftStore.putBack(removed.certificate, removed.place);
    setRemoved(null);
    document.querySelector("h1")?.focus();
  };
  return (
    <>
      {removed && navigation.step <= reviewStep && (
        <RemovedNotice
          key={removed.certificate.id}
          certificate={removed.certificate}
          onPutBack={isFull(draft) ? undefined : putBack}
        />
      )}
      {only ? (
        <Receipt
          summary={summaryOf(only.certificate, only.unitPence)}
          priority={only.certificate.certificateOptions.isPriority}
        />
      ) : (
        <ReceiptOfAll costs={costs} navigation={navigation} onRemove={remove} />
      )}
    </>
  );
}

interface RemovedNoticeProps {
  certificate: DraftCertificate;
  onPutBack: (() => void) | undefined;
}

/** In place of what was removed, with the way back. */
function RemovedNotice({ certificate, onPutBack }: RemovedNoticeProps) {
  const notice = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone: without this the focus would be lost.
  useEffect(() => notice.current?.focus(), []);
  return (
    <div ref={notice} tabIndex={-1} role="status" className="mb-3 border-l-3 border-primary pl-3 text-14">
      <p>
        You removed the <CertificateName certificate={certificate} within />.
      </p>
      {onPutBack && (
        <button type="button" className="link min-h-6 cursor-pointer" onClick={onPutBack}>
          Put it back
        </button>
      )}
    </div>
  );
}

interface ReceiptOfAllProps extends OrderReceiptProps {
  onRemove: (place: number) => void;
}

/** The receipt of several certificates: each with its price, what the prices are made of, and the total. */
function ReceiptOfAll({ costs, navigation, onRemove }: ReceiptOfAllProps) {
  const { place: open } = useDraft();
  const { parts, total, atTheGro } = summaryOfAll(costs);
  const change = (place: number): void => {
    draftStore.open(place);
    navigation.goTo(1);
  };
  const isAnswered = (place: number): boolean => place === open && navigation.step <= detailsStep;
  return (
    <>
      <CostLines
        costs={costs}
        actions={(certificate, place) =>
          navigation.step <= reviewStep && (
            <p className="flex gap-x-5 text-14">
              {isAnswered(place) ? (
                <span className="inline-flex min-h-6 items-center text-muted">In progress</span>
              ) : (
                <ReceiptButton act="Change" certificate={certificate} onPress={() => change(place)} />
              )}
              <ReceiptButton act="Remove" certificate={certificate} onPress={() => onRemove(place)} />
            </p>
          )
        }
      />
      <p className="dotted-rule mt-3 pt-3 text-14 text-muted">Of the total</p>
      <Lines lines={parts} />
      <p className="leader dotted-rule mt-3 pt-3 text-18 font-[600]">
        <span>Total</span>
        <span className="figures">{total}</span>
      </p>
      {levelsOf(costs).map((level) => (
        <DespatchLine key={level} serviceLevel={level} className="mt-3 text-14" />
      ))}
      <p className="mt-2 text-14 text-muted">
        We are a private company. The GRO’s own price for these is {atTheGro}.{" "}
        <a className="link" href={official.order}>
          Order there
        </a>
      </p>
    </>
  );
}

interface ReceiptButtonProps {
  act: "Change" | "Remove";
  certificate: DraftCertificate;
  onPress: () => void;
}

function ReceiptButton({ act, certificate, onPress }: ReceiptButtonProps) {
  return (
    <button type="button" className="link min-h-6 cursor-pointer" onClick={onPress}>
      {act}
      <span className="sr-only">
        {" "}
        <CertificateName certificate={certificate} within />
      </span>
    </button>
  );
}

interface CostLinesProps {
  costs: readonly Cost[];
  /** What can be done with a certificate, below it. */
  actions?: (certificate: DraftCertificate, place: number) => ReactNode;
}

/** Each certificate with its copies, service level and price. */
export function CostLines({ costs, actions }: CostLinesProps) {
  return (
    <ol>
      {costs.map(({ certificate, copies, totalPence }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a certificate is known by its place.
        <li key={place} className="py-1.5">
          <p className="leader">
            <span>{certificate.certificateType} certificate</span>
            <span className="figures text-14">{formatPounds(totalPence)}</span>
          </p>
          <Subject certificate={certificate} />
          <p className="text-14 text-muted">
            {copies} × {certificate.certificateOptions.isPriority ? "Priority" : "Standard"}
          </p>
          {actions?.(certificate, place)}
        </li>
      ))}
    </ol>
  );
}

interface FoldedSummaryProps {
  title: string;
  total: string;
  children: ReactNode;
}

/** The bar. Its button is small, because it covers other controls. */
function FoldedSummary({ title, total, children }: FoldedSummaryProps) {
  const [open, setOpen] = useState(false);
  return (
    <aside
      aria-label="Your order"
      className="sticky bottom-0 z-10 -mx-5 border-t border-hairline bg-surface shadow-float"
    >
      <div className="flex min-h-14 items-center gap-3 pl-5">
        <span className="min-w-0 flex-1 text-14 font-[500]">{title}</span>
        <span className="figures font-[600]">{total}</span>
        <button
          type="button"
          className="grid size-12 cursor-pointer place-items-center text-muted"
          aria-expanded={open}
          aria-controls="receipt"
          onClick={() => setOpen(!open)}
        >
          <ChevronUp aria-hidden="true" className={`size-5 ${open ? "rotate-180" : ""}`} strokeWidth={1.75} />
          <span className="sr-only">Price breakdown</span>
        </button>
      </div>
      <div id="receipt" hidden={!open} className="max-h-[60vh] overflow-y-auto px-5 pb-5">
        {children}
      </div>
    </aside>
  );
}

/** The order as a till receipt: items, prices, their parts, and the total. */
function Receipt({ summary, priority }: { summary: Summary; priority: boolean }) {
  return (
    <>
      <Lines lines={summary.choice} />
      <p className="dotted-rule mt-3 pt-3 text-14 text-muted">Of each {summary.unit}</p>
      <Lines lines={summary.parts} />
      <p className="leader dotted-rule mt-3 pt-3 text-18 font-[600]">
        <span>Total</span>
        <span className="figures">{summary.total}</span>
      </p>
      <DespatchLine serviceLevel={priority ? "priority" : "standard"} className="mt-3 text-14" />
      <p className="mt-2 text-14 text-muted">
        We are a private company. The GRO’s own price is {summary.atTheGro} a copy.{" "}
        <a className="link" href={official.order}>
          Order there
        </a>
      </p>
    </>
  );
}

function Lines({ lines }: { lines: readonly SummaryLine[] }) {
  return (
    <dl>
      {lines.map(({ what, figure }) => (
        <div key={what} className="leader py-1 text-14">
          <dt>{what}</dt>
          <dd className="figures">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

const wide = matchMedia("(min-width: 62rem)");

const subscribe = (listener: () => void) => {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
};

/** True on screens wide enough for two columns: the `lg` breakpoint of tokens.css. */
const useWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
