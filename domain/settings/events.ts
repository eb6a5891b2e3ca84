import { z } from "zod";
import { eventSchema, versionOne } from "../decider.ts";
import * as field from "../fields.ts";
import { certificateType } from "../order/vocabulary.ts";
import { priceList } from "../pricing/price-list-fields.ts";
import * as word from "./vocabulary.ts";

/**
 * Every change of a setting, in the one stream `settings`. Who made it stands in the event's metadata. Texts are kept
 * apart, and events name them by their SHA-256: the chain of hashes covers them, so a change would show.
 */

/** The schema of each event's data, with the version that is written today. */
export const settingsEventSchemas = {
  /** Takes the place of a list that is scheduled for the same day. */
  PricesChanged: versionOne(priceList),
  /** A scheduled list will not come into force. */
  PricesWithdrawn: versionOne(z.strictObject({ version: field.ordinal })),
  CompanyDetailsChanged: versionOne(z.strictObject({ textDigest: field.textDigest })),
  RetentionChanged: versionOne(z.strictObject({ contactRetentionDays: field.count })),
  CertificateTypeToggled: versionOne(z.strictObject({ certificateType, orderable: z.boolean() })),
  RefundLimitChanged: versionOne(z.strictObject({ refundLimitPence: field.pence })),
  /** Null: it was removed. */
  CannedAnswerChanged: versionOne(
    z.strictObject({ answerId: field.id, textDigest: field.textDigest.nullable() }),
  ),
  TestimonialsChanged: versionOne(z.strictObject({ textDigest: field.textDigest })),
  StaffGranted: versionOne(z.strictObject({ userId: field.staffId, role: word.staffRole })),
  StaffRevoked: versionOne(z.strictObject({ userId: field.staffId })),
};

type SettingsEventType = keyof typeof settingsEventSchemas;

type SettingsEventData<Type extends SettingsEventType> = z.infer<(typeof settingsEventSchemas)[Type]["data"]>;

export type SettingsEvent = {
  [Type in SettingsEventType]: { readonly type: Type; readonly data: SettingsEventData<Type> };
}[SettingsEventType];

/** Parses an event of the log. */
export const settingsEventSchema = eventSchema<SettingsEvent>(settingsEventSchemas);

export const settingsStream = "settings";
