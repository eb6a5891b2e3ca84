import type { settingsHistoryAnswer } from "../../contract/settings/settings.ts";
import type { Presented } from "../gateway/routing/presented.ts";
import { presentAnswer, presentCompany, presentPriceList, presentTestimonial } from "./present-settings.ts";
import type { Settings, SettingsChange } from "./settings.ts";

/** One change in the history; `before` and `after` are null where nothing was set. */
function whatChanged({ event, before, after }: SettingsChange, nameOf: (userId: string) => string) {
  const sides = <Value>(value: (settings: Settings) => Value) => ({
    before: value(before),
    after: value(after),
  });
  switch (event.type) {
    case "PricesChanged":
      return { setting: "prices" as const, ...sides(listOn(event.data.effectiveFrom)) };
    case "PricesWithdrawn": {
      const withdrawn = before.prices.find(({ version }) => version === event.data.version);
      return {
        setting: "prices" as const,
        before: withdrawn ? presentPriceList(withdrawn) : null,
        after: null,
      };
    }
    case "CompanyDetailsChanged":
      return { setting: "company" as const, ...sides(({ company }) => presentCompany(company)) };
    case "RetentionChanged":
      return { setting: "retention" as const, ...sides(({ contactRetentionDays }) => contactRetentionDays) };
    case "CertificateTypeToggled": {
      const { certificateType } = event.data;
      const isOn = sides(({ orderableTypes }) => orderableTypes.includes(certificateType));
      return { setting: "certificateTypes" as const, certificateType, ...isOn };
    }
    case "RefundLimitChanged":
      return { setting: "refundLimit" as const, ...sides(({ refundLimitPence }) => refundLimitPence) };
    case "CannedAnswerChanged":
      return { setting: "cannedAnswers" as const, ...sides(answerOf(event.data.answerId)) };
    case "TestimonialsChanged":
      return {
        setting: "testimonials" as const,
        ...sides(({ testimonials }) => testimonials.map(presentTestimonial)),
      };
    case "StaffGranted":
    case "StaffRevoked": {
      const { userId } = event.data;
      const grants = sides(({ grants }) => grants.get(userId) ?? null);
      return { setting: "staff" as const, userId, name: nameOf(userId), ...grants };
    }
    default:
      return event satisfies never;
  }
}

const listOn =
  (day: string) =>
  ({ prices }: Settings) => {
    const list = prices.find(({ effectiveFrom }) => effectiveFrom === day);
    return list ? presentPriceList(list) : null;
  };

const answerOf =
  (id: string) =>
  ({ cannedAnswers }: Settings) => {
    const answer = cannedAnswers.find(({ answerId }) => answerId === id);
    return answer ? presentAnswer(answer) : null;
  };

/** Ids of the people a history names: authors, and users whose role changed. */
export const peopleIn = (changes: readonly SettingsChange[]): readonly string[] =>
  changes.flatMap(({ by, event }) =>
    event.type === "StaffGranted" || event.type === "StaffRevoked" ? [by, event.data.userId] : [by],
  );

/** Newest first. Money in pence. */
export const presentSettingsHistory = (
  changes: readonly SettingsChange[],
  nameOf: (userId: string) => string,
): Presented<typeof settingsHistoryAnswer> => ({
  changes: changes.map((change) => ({
    revision: change.revision,
    at: change.at,
    by: { userId: change.by, name: nameOf(change.by) },
    ...whatChanged(change, nameOf),
  })),
});
