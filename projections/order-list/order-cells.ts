import { type Phase, phases } from "../../domain/order/phases.ts";
import { type OrderStatus, statusOf } from "../../domain/order/status.ts";
import {
  type CertificateType,
  certificateType,
  type ServiceLevel,
  serviceLevel,
} from "../../domain/order/vocabulary.ts";

/**
 * Phase, certificate type and service level of an order in one small number. An index that begins with it sorts the
 * orders of each combination, so a page of any filter merges the few matching combinations: even a rare filter never
 * reads orders outside the page.
 */

/** The chosen certificate; null before one was chosen. */
type Choice = { readonly certificateType: CertificateType; readonly serviceLevel: ServiceLevel } | null;

const choices: readonly Choice[] = [
  null,
  ...certificateType.options.flatMap((type) =>
    serviceLevel.options.map((level) => ({ certificateType: type, serviceLevel: level })),
  ),
];

const isOf = (choice: Choice, type: CertificateType | undefined, level: ServiceLevel | undefined): boolean =>
  choice?.certificateType === type && choice?.serviceLevel === level;

export function cellOf(
  phase: Phase,
  chosen: { readonly certificateType: CertificateType; readonly serviceLevel: ServiceLevel } | null,
): number {
  const choice = choices.findIndex((one) => isOf(one, chosen?.certificateType, chosen?.serviceLevel));
  return phases.indexOf(phase) * choices.length + choice;
}

/** A filter; a missing or empty list matches everything. */
export type CellFilter = {
  readonly statuses?: readonly OrderStatus[] | undefined;
  readonly phases?: readonly Phase[] | undefined;
  readonly certificateTypes?: readonly CertificateType[] | undefined;
  readonly serviceLevels?: readonly ServiceLevel[] | undefined;
};

const passes = <Value>(wanted: readonly Value[] | undefined, value: Value | undefined): boolean =>
  wanted === undefined || wanted.length === 0 || (value !== undefined && wanted.includes(value));

/** The cells that match a filter, possibly none. */
export function cellsOf(filter: CellFilter): number[] {
  return phases.flatMap((phase, row) =>
    choices.flatMap((choice, column) => {
      const asked =
        passes(filter.phases, phase) &&
        passes(filter.statuses, statusOf(phase)) &&
        passes(filter.certificateTypes, choice?.certificateType) &&
        passes(filter.serviceLevels, choice?.serviceLevel);
      // Before a certificate is chosen an order is Opened, or has ended.
      return asked ? [row * choices.length + column] : [];
    }),
  );
}
