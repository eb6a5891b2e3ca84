import { type Phase, phases } from "../../domain/order/phases.ts";
import { type OrderStatus, statusOf } from "../../domain/order/status.ts";
import {
  type CertificateType,
  certificateType,
  type ServiceLevel,
  serviceLevel,
} from "../../domain/order/vocabulary.ts";

/**
 * Phase, certificate type and service level of an order in one small number. An index that begins with it holds the orders of each
 * combination in order, so a page of any filter is a merge of the few combinations that pass it: no filter, however rare what it
 * asks for, ever makes the database read orders that do not belong to the page.
 */

/** What was chosen; null until a certificate was. */
type Choice = { readonly certificateType: CertificateType; readonly serviceLevel: ServiceLevel } | null;

const choices: readonly Choice[] = [
  null,
  ...certificateType.options.flatMap((type) =>
    serviceLevel.options.map((level) => ({ certificateType: type, serviceLevel: level })),
  ),
];

const isOf = (choice: Choice, type: CertificateType | undefined, level: ServiceLevel | undefined): boolean =>
  choice?.certificateType === type && choice?.serviceLevel === level;

/** The cell of an order. */
export function cellOf(
  phase: Phase,
  chosen: { readonly certificateType: CertificateType; readonly serviceLevel: ServiceLevel } | null,
): number {
  const choice = choices.findIndex((one) => isOf(one, chosen?.certificateType, chosen?.serviceLevel));
  return phases.indexOf(phase) * choices.length + choice;
}

/** What is asked for; a list that is missing or empty asks for everything. */
export type CellFilter = {
  readonly statuses?: readonly OrderStatus[] | undefined;
  readonly phases?: readonly Phase[] | undefined;
  readonly certificateTypes?: readonly CertificateType[] | undefined;
  readonly serviceLevels?: readonly ServiceLevel[] | undefined;
};

const passes = <Value>(wanted: readonly Value[] | undefined, value: Value | undefined): boolean =>
  wanted === undefined || wanted.length === 0 || (value !== undefined && wanted.includes(value));

/** The cells that pass a filter, which may be none. */
export function cellsOf(filter: CellFilter): number[] {
  return phases.flatMap((phase, row) =>
    choices.flatMap((choice, column) => {
      const asked =
        passes(filter.phases, phase) &&
        passes(filter.statuses, statusOf(phase)) &&
        passes(filter.certificateTypes, choice?.certificateType) &&
        passes(filter.serviceLevels, choice?.serviceLevel);
      // Before a certificate was chosen an order is Opened, or has ended.
      return asked ? [row * choices.length + column] : [];
    }),
  );
}
