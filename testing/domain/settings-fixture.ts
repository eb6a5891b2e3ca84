import type { CommandMetadata } from "../../domain/decider.ts";
import { addSeconds } from "../../domain/instant.ts";
import type { PriceList } from "../../domain/pricing/price-list.ts";
import { type SettingsCommand, settingsDecider } from "../../domain/settings/decide.ts";
import {
  evolveSettings,
  type SettingsEvent,
  type SettingsState,
  untouchedSettings,
} from "../../domain/settings/settings.ts";

/** Test settings, each given by its events. */

/** Monday, half past nine in London. */
const start = "2026-11-23T09:30:00.000Z";

export const given = (changes: Partial<CommandMetadata> = {}): CommandMetadata => ({
  commandId: "a-command",
  at: start,
  actor: { kind: "staff", id: "user_manager" },
  correlationId: "test",
  ...changes,
});

/** The settings after some changes. */
export const settingsAfter = (...events: readonly SettingsEvent[]): SettingsState =>
  events.reduce<SettingsState>(
    (state, event, revision) =>
      evolveSettings(state, event, {
        eventId: `00000000-0000-4000-8000-${String(revision).padStart(12, "0")}`,
        at: addSeconds(start, revision),
        revision,
      }),
    untouchedSettings,
  );

/** The events of a command after some changes. */
export const when = (
  events: readonly SettingsEvent[],
  command: SettingsCommand,
  metadata = given(),
): readonly SettingsEvent[] => settingsDecider.decide(settingsAfter(...events), command, metadata);

/** All types at these prices, in pence. */
export const everyTypeAt = (standard: number, priority: number): PriceList["unitPricePence"] => ({
  Birth: { standard, priority },
  Death: { standard, priority },
  Marriage: { standard, priority },
  Adoption: { standard, priority },
});

export const scheduled = (
  version: number,
  effectiveFrom: string,
  unitPricePence = everyTypeAt(4900, 7900),
): SettingsEvent => ({ type: "PricesChanged", data: { version, effectiveFrom, unitPricePence } });

export const textDigest = "ab".repeat(32);
export const answerId = "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0001";

/** A valid command of each type. */
export const sampleChanges: {
  readonly [T in SettingsCommand["type"]]: Extract<SettingsCommand, { type: T }>;
} = {
  ChangePrices: {
    type: "ChangePrices",
    data: { effectiveFrom: "2027-01-04", unitPricePence: everyTypeAt(4900, 7900) },
  },
  WithdrawPrices: { type: "WithdrawPrices", data: { version: 2 } },
  ChangeCompanyDetails: { type: "ChangeCompanyDetails", data: { textDigest, missing: [] } },
  ChangeRetention: { type: "ChangeRetention", data: { contactRetentionDays: 180, mostDays: 365 } },
  ToggleCertificateType: {
    type: "ToggleCertificateType",
    data: { certificateType: "Marriage", orderable: false },
  },
  ChangeRefundLimit: { type: "ChangeRefundLimit", data: { refundLimitPence: 5000 } },
  ChangeCannedAnswer: { type: "ChangeCannedAnswer", data: { answerId, textDigest } },
  ChangeTestimonials: { type: "ChangeTestimonials", data: { textDigest } },
  GrantStaff: { type: "GrantStaff", data: { userId: "user_1", role: "staff" } },
  RevokeStaff: { type: "RevokeStaff", data: { userId: "user_1" } },
};
