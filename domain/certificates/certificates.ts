import type { CertificateType } from "../order/vocabulary.ts";
import { adoption } from "./adoption.ts";
import { birth } from "./birth.ts";
import type { Certificate } from "./certificate.ts";
import { death } from "./death.ts";
import { marriage } from "./marriage.ts";

/** Every type of certificate. */
export const certificates: Readonly<Record<CertificateType, Certificate>> = {
  Birth: birth,
  Death: death,
  Marriage: marriage,
  Adoption: adoption,
};
