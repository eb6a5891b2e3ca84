import { formatPounds } from "../../../domain/pricing/money.ts";
import { feePerCopyOf } from "../../../domain/pricing/price-list.ts";
import { sharedAnswers } from "../../ordering/draft/certificate-answers.ts";
import type { Draft } from "../../ordering/draft/draft.ts";

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

/** The costs of a draft; `unitPence` is the price of one copy at the chosen service level. */
export function summaryOf(draft: Draft, unitPence: number): Summary {
  const { fullCertificates: copies, isPriority } = draft.certificateOptions;
  const level = isPriority ? "priority" : "standard";
  const answers = sharedAnswers(draft);
  const known = answers.groReferenceKnown === "yes" && answers.groReference.trim() !== "";
  const fee = feePerCopyOf(unitPence, level, known);
  const certificate = `${draft.certificateType} certificate`;
  return {
    choice: [
      { what: certificate, figure: `${copies} ×` },
      { what: isPriority ? "Priority" : "Standard", figure: formatPounds(unitPence) },
    ],
    parts: [
      { what: "GRO fee", figure: formatPounds(fee.groFeePence) },
      ...(fee.groSearchFeePence > 0
        ? [{ what: "GRO search fee", figure: formatPounds(fee.groSearchFeePence) }]
        : []),
      { what: "Our service", figure: formatPounds(fee.ourFeePence) },
      { what: "Postage", figure: "included" },
    ],
    unit: formatPounds(unitPence),
    atTheGro: formatPounds(fee.groFeePence + fee.groSearchFeePence),
    total: formatPounds(unitPence * copies),
    title: `${certificate} × ${copies}`,
  };
}
