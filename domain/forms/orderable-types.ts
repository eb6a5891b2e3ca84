import type { CertificateType } from "../order/vocabulary.ts";
import { certificateTypes } from "./options.ts";

/** The types on sale, in display order: a setting, on or off for each. */
export type OrderableTypes = readonly CertificateType[];

/** The default. */
export const everyTypeOrderable: OrderableTypes = certificateTypes;

/** Switches one type on or off. */
export const withType = (orderable: OrderableTypes, type: CertificateType, isOn: boolean): OrderableTypes =>
  certificateTypes.filter((known) => (known === type ? isOn : orderable.includes(known)));

/** Why a type cannot be ordered, or undefined when it can. */
export const whyNotOrderable = (type: CertificateType, orderable: OrderableTypes): string | undefined =>
  orderable.includes(type) ? undefined : `${type} certificates cannot be ordered at the moment`;
