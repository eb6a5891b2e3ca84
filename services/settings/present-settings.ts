import type { Presented } from "../../contract/request.ts";
import type { answerShown, cannedAnswersAnswer, settingsAnswer } from "../../contract/settings/settings.ts";
import type { Instant } from "../../domain/instant.ts";
import { type PriceList, priceListAt } from "../../domain/pricing/price-list.ts";
import type { priceList } from "../../domain/pricing/price-list-fields.ts";
import { londonDate } from "../../domain/promise/london-time.ts";
import { groCostPence } from "../../domain/settings/decide.ts";
import type {
  CompanyDetails,
  companyDetails,
  Testimonial,
  testimonial,
} from "../../domain/settings/settings-texts.ts";
import { leastRetentionDays } from "../../domain/settings/vocabulary.ts";
import type { GivenSettings, KeptAnswer, Settings } from "./settings.ts";

/** The data of the settings page, except people's names. */
type PresentedSettings = {
  readonly settings: Settings;
  readonly given: GivenSettings;
  readonly nameOf: (userId: string) => string;
  readonly at: Instant;
};

/** Money in pence. */
export function presentSettings({
  settings,
  given,
  nameOf,
  at,
}: PresentedSettings): Presented<typeof settingsAnswer> {
  const inForce = priceListAt(at, settings.prices).version;
  const today = londonDate(at);
  return {
    revision: settings.revision,
    today,
    prices: settings.prices.map((list) => ({
      ...presentPriceList(list),
      state: list.version === inForce ? "inForce" : list.effectiveFrom > today ? "scheduled" : "past",
    })),
    leastPricePence: { standard: groCostPence("standard") + 1, priority: groCostPence("priority") + 1 },
    company: presentCompany(settings.company),
    orderableTypes: settings.orderableTypes,
    contactRetentionDays: settings.contactRetentionDays,
    retentionBounds: { leastDays: leastRetentionDays, mostDays: given.contactRetentionDays },
    refundLimitPence: settings.refundLimitPence,
    cannedAnswers: settings.cannedAnswers.map(presentAnswer),
    testimonials: settings.testimonials.map(presentTestimonial),
    staff: [...settings.grants].map(([userId, grant]) => ({ userId, name: nameOf(userId), grant })),
    adminUsernames: given.adminUsernames,
  };
}

export const presentCannedAnswers = ({
  cannedAnswers,
  company,
}: Settings): Presented<typeof cannedAnswersAnswer> => ({
  cannedAnswers: cannedAnswers.map(presentAnswer),
  companyName: company.tradingName,
});

export const presentPriceList = ({
  version,
  effectiveFrom,
  unitPricePence,
}: PriceList): Presented<typeof priceList> => ({
  version,
  effectiveFrom,
  unitPricePence,
});

export const presentCompany = ({
  tradingName,
  companyName,
  companyNumber,
  vatNumber,
  registeredIn,
  registeredOffice,
  postalAddress,
  supportEmail,
  telephone,
  telephoneHours,
  replyWorkingDays,
}: CompanyDetails): Presented<typeof companyDetails> => ({
  tradingName,
  companyName,
  companyNumber,
  vatNumber,
  registeredIn,
  registeredOffice,
  postalAddress,
  supportEmail,
  telephone,
  telephoneHours,
  replyWorkingDays,
});

export const presentAnswer = ({ answerId, title, text }: KeptAnswer): Presented<typeof answerShown> => ({
  answerId,
  title,
  text,
});

export const presentTestimonial = ({
  quote,
  name,
  source,
  url,
}: Testimonial): Presented<typeof testimonial> => ({
  quote,
  name,
  source,
  url,
});
