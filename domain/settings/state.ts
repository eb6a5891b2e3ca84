import type { Recorded } from "../decider.ts";
import { everyTypeOrderable, type OrderableTypes, withType } from "../forms/options.ts";
import { firstPriceList, firstPriceLists, type PriceList, type PriceLists } from "../pricing/price-list.ts";
import type { SettingsEvent } from "./events.ts";
import { type Grant, usualRefundLimitPence } from "./vocabulary.ts";

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
