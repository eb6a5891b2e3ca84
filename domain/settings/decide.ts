import { z } from "zod";
import { type CommandMetadata, type Decider, Refused } from "../decider.ts";
import * as field from "../fields.ts";
import { certificateType } from "../order/vocabulary.ts";
import { groFees, type PriceList } from "../pricing/price-list.ts";
import { unitPricePence } from "../pricing/price-list-fields.ts";
import { londonDate } from "../promise/london-time.ts";
import { legalDetails } from "./company.ts";
import { evolveSettings, type SettingsEvent, type SettingsState, untouchedSettings } from "./settings.ts";
import * as word from "./vocabulary.ts";
import { leastRetentionDays } from "./vocabulary.ts";

/** Every request that the settings understand, with its data. Texts are kept before: a command carries their SHA-256. */
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

type SettingsCommandType = keyof typeof settingsCommandSchemas;

type SettingsCommandData<Type extends SettingsCommandType> = z.infer<(typeof settingsCommandSchemas)[Type]>;

export type SettingsCommand = {
  [Type in SettingsCommandType]: { readonly type: Type; readonly data: SettingsCommandData<Type> };
}[SettingsCommandType];

/** The rules of settings: stable codes, shown to clients. */
export type SettingsRule =
  /** A price list begins tomorrow or later: what customers see today stays. */
  | "not-before-tomorrow"
  /** There is no list of that version that is still to come. */
  | "not-scheduled"
  /** `details.leastPence`: the GRO's own fees would not be covered. */
  | "not-above-gro-fees"
  /** `details.leastDays` */
  | "retention-too-short"
  /** `details.mostDays` */
  | "retention-too-long"
  /** Customers must know who runs the service. */
  | "law-demands"
  /** No manager changes their own role, so at least one remains. */
  | "own-role"
  | "staff-only";

type CommandOf<Type extends SettingsCommandType> = {
  [T in Type]: Extract<SettingsCommand, { type: T }> & {
    readonly type: T;
    readonly data: SettingsCommandData<T>;
  };
}[Type];
type Decisions = {
  readonly [T in SettingsCommandType]: (
    state: SettingsState,
    data: SettingsCommandData<T>,
    metadata: CommandMetadata,
  ) => SettingsEvent[];
};

const refused = (rule: SettingsRule, details: Refused["details"] = {}): Refused =>
  new Refused({ code: "setting-refused", phase: "Settings", rule, details });

/** What the GRO takes at most for one copy: its fee, and its search where no reference is given. In pence. */
export const groCostPence = (level: "standard" | "priority"): number =>
  groFees.feePence[level] + groFees.searchPence;

function assertAboveGroFees(unitPrices: PriceList["unitPricePence"]): void {
  for (const prices of Object.values(unitPrices)) {
    for (const level of ["standard", "priority"] as const) {
      const cost = groCostPence(level);
      if (prices[level] <= cost) throw refused("not-above-gro-fees", { level, leastPence: cost + 1 });
    }
  }
}

const samePrices = (one: PriceList["unitPricePence"], other: PriceList["unitPricePence"]): boolean =>
  (["Birth", "Death", "Marriage", "Adoption"] as const).every(
    (type) => one[type].standard === other[type].standard && one[type].priority === other[type].priority,
  );

const decisions: Decisions = {
  ChangePrices({ priceLists, lastPriceListVersion }, { effectiveFrom, unitPricePence }, { at }) {
    if (effectiveFrom <= londonDate(at)) throw refused("not-before-tomorrow");
    assertAboveGroFees(unitPricePence);
    const there = priceLists.find((list) => list.effectiveFrom === effectiveFrom);
    if (there && samePrices(there.unitPricePence, unitPricePence)) return [];
    const version = lastPriceListVersion + 1;
    return [{ type: "PricesChanged", data: { version, effectiveFrom, unitPricePence } }];
  },

  WithdrawPrices({ priceLists }, { version }, { at }) {
    const list = priceLists.find((scheduled) => scheduled.version === version);
    if (!list || list.effectiveFrom <= londonDate(at)) throw refused("not-scheduled");
    return [{ type: "PricesWithdrawn", data: { version } }];
  },

  ChangeCompanyDetails({ companyDigest }, { textDigest, missing }) {
    if (missing.length > 0) throw refused("law-demands");
    return companyDigest === textDigest ? [] : [{ type: "CompanyDetailsChanged", data: { textDigest } }];
  },

  ChangeRetention(state, { contactRetentionDays, mostDays }) {
    if (contactRetentionDays > mostDays) throw refused("retention-too-long", { mostDays });
    if (contactRetentionDays < leastRetentionDays) {
      throw refused("retention-too-short", { leastDays: leastRetentionDays });
    }
    return state.contactRetentionDays === contactRetentionDays
      ? []
      : [{ type: "RetentionChanged", data: { contactRetentionDays } }];
  },

  ToggleCertificateType: (state, { certificateType, orderable }) =>
    state.orderable.includes(certificateType) === orderable
      ? []
      : [{ type: "CertificateTypeToggled", data: { certificateType, orderable } }],

  ChangeRefundLimit: (state, { refundLimitPence }) =>
    state.refundLimitPence === refundLimitPence
      ? []
      : [{ type: "RefundLimitChanged", data: { refundLimitPence } }],

  ChangeCannedAnswer: ({ cannedAnswers }, { answerId, textDigest }) =>
    cannedAnswers.get(answerId) === textDigest
      ? []
      : [{ type: "CannedAnswerChanged", data: { answerId, textDigest } }],

  ChangeTestimonials: ({ testimonialsDigest }, { textDigest }) =>
    testimonialsDigest === textDigest ? [] : [{ type: "TestimonialsChanged", data: { textDigest } }],

  GrantStaff({ grants }, { userId, role }, { actor }) {
    if (userId === actor.id) throw refused("own-role");
    return grants.get(userId) === role ? [] : [{ type: "StaffGranted", data: { userId, role } }];
  },

  RevokeStaff({ grants }, { userId }, { actor }) {
    if (userId === actor.id) throw refused("own-role");
    return grants.get(userId) === "revoked" ? [] : [{ type: "StaffRevoked", data: { userId } }];
  },
};

function decideOn<Type extends SettingsCommandType>(
  state: SettingsState,
  command: CommandOf<Type>,
  metadata: CommandMetadata,
): SettingsEvent[] {
  if (metadata.actor.kind !== "staff") throw refused("staff-only");
  return decisions[command.type](state, command.data, metadata);
}

/** The settings: what they start as, how changes change them, what they answer. */
export const settingsDecider: Decider<SettingsState, SettingsCommand, SettingsEvent> = {
  initial: untouchedSettings,
  evolve: evolveSettings,
  /** @throws Refused `setting-refused` with the rule */
  decide: (state, command, metadata) => decideOn(state, command, metadata),
};
