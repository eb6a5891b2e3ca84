import { z } from "zod";
import * as field from "../fields.ts";
import { certificateType } from "../order/vocabulary.ts";
import { unitPricePence } from "../pricing/price-list-fields.ts";
import { legalDetails } from "./company.ts";
import * as word from "./vocabulary.ts";

/** Every request that the settings understand. Texts are kept before: a command carries their SHA-256. */

/** The schema of each command's data. */
const settingsCommandSchemas = {
  ChangePrices: z.strictObject({ effectiveFrom: field.date, unitPricePence }),
  WithdrawPrices: z.strictObject({ version: field.ordinal }),
  /** `missing`: what the law demands and the new details lack, where it is demanded. */
  ChangeCompanyDetails: z.strictObject({
    textDigest: field.textDigest,
    missing: z.array(z.enum(legalDetails)).readonly(),
  }),
  /** `mostDays` is what the environment gives. */
  ChangeRetention: z.strictObject({ contactRetentionDays: field.count, mostDays: field.count }),
  ToggleCertificateType: z.strictObject({ certificateType, orderable: z.boolean() }),
  ChangeRefundLimit: z.strictObject({ refundLimitPence: field.pence }),
  /** Null removes it. */
  ChangeCannedAnswer: z.strictObject({ answerId: field.id, textDigest: field.textDigest.nullable() }),
  ChangeTestimonials: z.strictObject({ textDigest: field.textDigest }),
  GrantStaff: z.strictObject({ userId: field.staffId, role: word.staffRole }),
  RevokeStaff: z.strictObject({ userId: field.staffId }),
};

export type SettingsCommandType = keyof typeof settingsCommandSchemas;

/** The data of one type of command. */
export type SettingsCommandData<Type extends SettingsCommandType> = z.infer<
  (typeof settingsCommandSchemas)[Type]
>;

/** `{ type, data }`, discriminated by `type`. */
export type SettingsCommand = {
  [Type in SettingsCommandType]: { readonly type: Type; readonly data: SettingsCommandData<Type> };
}[SettingsCommandType];
