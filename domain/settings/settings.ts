import { z } from "zod";
import { eventSchema, type Recorded, versionOne } from "../decider.ts";
import * as field from "../fields.ts";
import { everyTypeOrderable, type OrderableTypes, withType } from "../forms/options.ts";
import { certificateType } from "../order/vocabulary.ts";
import { firstPriceList, firstPriceLists, type PriceList, type PriceLists } from "../pricing/price-list.ts";
import { priceList } from "../pricing/price-list-fields.ts";
import { type Grant, staffRole, usualRefundLimitPence } from "./vocabulary.ts";

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
  StaffGranted: versionOne(z.strictObject({ userId: field.staffId, role: staffRole })),
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

/** What the stream `settings` says. Null, or missing in a map: never changed. */
export interface SettingsState {
  /** Of the last change; -1 before the first. */
  readonly revision: number;
  /** In force and scheduled, oldest day first. */
  readonly priceLists: PriceLists;
  /** The highest that any list ever had, withdrawn ones included: an order's version names one list for ever. */
  readonly lastPriceListVersion: number;
  readonly companyDigest: string | null;
  readonly contactRetentionDays: number | null;
  readonly orderable: OrderableTypes;
  readonly refundLimitPence: number;
  /** By id of the answer: the digest of its text, null when it was removed. */
  readonly cannedAnswers: ReadonlyMap<string, string | null>;
  readonly testimonialsDigest: string | null;
  /** By user id. */
  readonly grants: ReadonlyMap<string, Grant>;
}

export const untouchedSettings: SettingsState = {
  revision: -1,
  priceLists: firstPriceLists,
  lastPriceListVersion: firstPriceList.version,
  companyDigest: null,
  contactRetentionDays: null,
  orderable: everyTypeOrderable,
  refundLimitPence: usualRefundLimitPence,
  cannedAnswers: new Map(),
  testimonialsDigest: null,
  grants: new Map(),
};

function scheduled([first, ...others]: PriceLists, added: PriceList): PriceLists {
  const kept = others.filter(({ effectiveFrom }) => effectiveFrom !== added.effectiveFrom);
  return [first, ...[...kept, added].sort((a, b) => (a.effectiveFrom < b.effectiveFrom ? -1 : 1))];
}

function withdrawn([first, ...others]: PriceLists, version: number): PriceLists {
  return [first, ...others.filter((list) => list.version !== version)];
}

function changed(state: SettingsState, event: SettingsEvent): Partial<SettingsState> {
  switch (event.type) {
    case "PricesChanged":
      return {
        priceLists: scheduled(state.priceLists, event.data),
        lastPriceListVersion: Math.max(state.lastPriceListVersion, event.data.version),
      };
    case "PricesWithdrawn":
      return { priceLists: withdrawn(state.priceLists, event.data.version) };
    case "CompanyDetailsChanged":
      return { companyDigest: event.data.textDigest };
    case "RetentionChanged":
      return { contactRetentionDays: event.data.contactRetentionDays };
    case "CertificateTypeToggled":
      return {
        orderable: withType(state.orderable, event.data.certificateType, event.data.orderable),
      };
    case "RefundLimitChanged":
      return { refundLimitPence: event.data.refundLimitPence };
    case "CannedAnswerChanged":
      return {
        cannedAnswers: new Map(state.cannedAnswers).set(event.data.answerId, event.data.textDigest),
      };
    case "TestimonialsChanged":
      return { testimonialsDigest: event.data.textDigest };
    case "StaffGranted":
      return { grants: new Map(state.grants).set(event.data.userId, event.data.role) };
    case "StaffRevoked":
      return { grants: new Map(state.grants).set(event.data.userId, "revoked") };
    default:
      return event satisfies never;
  }
}

/** The settings after one more change. */
export const evolveSettings = (
  state: SettingsState,
  event: SettingsEvent,
  { revision }: Recorded,
): SettingsState => ({ ...state, ...changed(state, event), revision });
