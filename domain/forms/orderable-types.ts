import type { CertificateType } from "../order/vocabulary.ts";
import { certificateTypes } from "./options.ts";

/** Which types can be ordered at the moment: a setting, on or off for each. */
export type OrderableTypes = Readonly<Record<CertificateType, boolean>>;

/** How it is until a setting says otherwise. */
export const everyTypeOrderable: OrderableTypes = {
  Birth: true,
  Death: true,
  Marriage: true,
  Adoption: true,
};

/** The types that are on, in the order they are shown. */
export const orderableTypes = (orderable: OrderableTypes): readonly CertificateType[] =>
  certificateTypes.filter((type) => orderable[type]);

/** Why a type cannot be ordered, or undefined when it can. */
export const whyNotOrderable = (type: CertificateType, orderable: OrderableTypes): string | undefined =>
  orderable[type] ? undefined : `${type} certificates cannot be ordered at the moment`;
