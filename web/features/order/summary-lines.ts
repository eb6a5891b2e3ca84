import { formatPounds } from "../../../domain/pricing/money.ts";
import { type FeePerCopy, feePerCopyOf } from "../../../domain/pricing/price-list.ts";
import { sharedAnswers } from "../../ordering/draft/certificate-answers.ts";
import type { DraftCertificate } from "../../ordering/draft/draft.ts";
import type { Cost } from "./wizard.tsx";

/** One line of the receipt: what, and its figure. */
export interface SummaryLine {
  readonly what: string;
  readonly figure: string;
}

/** The receipt's lines. The parts of a copy add up to its price, and the copies to the total. */
export interface Summary {
  readonly choice: readonly SummaryLine[];
  readonly parts: readonly SummaryLine[];
  readonly unit: string;
  /** What the GRO itself charges for a copy, with its search fee if it must search. */
  readonly atTheGro: string;
  readonly total: string;
  /** For the folded bar: 'Birth certificate × 2'. */
  readonly title: string;
}

/** What a copy's price is made of. The GRO charges for its search unless it is given the reference. */
function feeOf(certificate: DraftCertificate, unitPence: number): FeePerCopy {
  const answers = sharedAnswers(certificate);
  const known = answers.groReferenceKnown === "yes" && answers.groReference.trim() !== "";
  return feePerCopyOf(unitPence, levelOf(certificate), known);
}

const partsOf = (fee: FeePerCopy): SummaryLine[] => [
  { what: "GRO fee", figure: formatPounds(fee.groFeePence) },
  ...(fee.groSearchFeePence > 0
    ? [{ what: "GRO search fee", figure: formatPounds(fee.groSearchFeePence) }]
    : []),
  { what: "Our service", figure: formatPounds(fee.ourFeePence) },
  { what: "Postage", figure: "included" },
];

const levelOf = ({ certificateOptions }: DraftCertificate) =>
  certificateOptions.isPriority ? "priority" : "standard";

/** The service levels that were chosen, each once. */
export const levelsOf = (costs: readonly Cost[]) => [
  ...new Set(costs.map(({ certificate }) => levelOf(certificate))),
];

/** The costs of one certificate; `unitPence` is the price of one copy at the chosen service level. */
export function summaryOf(draft: DraftCertificate, unitPence: number): Summary {
  const { fullCertificates: copies, isPriority } = draft.certificateOptions;
  const fee = feeOf(draft, unitPence);
  const certificate = `${draft.certificateType} certificate`;
  return {
    choice: [
      { what: certificate, figure: `${copies} ×` },
      { what: isPriority ? "Priority" : "Standard", figure: formatPounds(unitPence) },
    ],
    parts: partsOf(fee),
    unit: formatPounds(unitPence),
    atTheGro: formatPounds(fee.groFeePence + fee.groSearchFeePence),
    total: formatPounds(unitPence * copies),
    title: `${certificate} × ${copies}`,
  };
}

/** The costs of several certificates: the parts of all copies add up to the total. */
export function summaryOfAll(
  costs: readonly Cost[],
): Pick<Summary, "parts" | "atTheGro" | "total" | "title"> {
  const fees = costs.map(({ certificate, unitPence, copies }) => ({
    copies,
    fee: feeOf(certificate, unitPence),
  }));
  const sum = (part: keyof FeePerCopy): number =>
    fees.reduce((pence, { copies, fee }) => pence + copies * fee[part], 0);
  const all = {
    groFeePence: sum("groFeePence"),
    groSearchFeePence: sum("groSearchFeePence"),
    ourFeePence: sum("ourFeePence"),
  };
  return {
    parts: partsOf(all),
    atTheGro: formatPounds(all.groFeePence + all.groSearchFeePence),
    total: formatPounds(all.groFeePence + all.groSearchFeePence + all.ourFeePence),
    title: `${costs.length} certificates`,
  };
}
