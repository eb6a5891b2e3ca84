import type { ApiRequest, Presented, Schema } from "../../contract/request.ts";
import type { settingsHistoryAnswer } from "../../contract/settings/settings.ts";
import * as contract from "../../contract/settings/settings.ts";
import type { pricesAnswer } from "../../contract/site/site.ts";
import * as site from "../../contract/site/site.ts";
import { poundsOf } from "../../domain/pricing/money.ts";
import { type PricedCertificate, type PriceList, priceListAt } from "../../domain/pricing/price-list.ts";
import { missingByLaw } from "../../domain/settings/company.ts";
import type { SettingsCommand } from "../../domain/settings/decide.ts";
import { notFound } from "../gateway/errors/problem.ts";
import { keyFor } from "../gateway/guards/identify.ts";
import type { HandlerDependencies } from "../gateway/parts.ts";
import { type RouteOf, route, staffRoute } from "../gateway/route.ts";
import { clientCommandId } from "../orders/command-ids.ts";
import {
  presentAnswer,
  presentCannedAnswers,
  presentCompany,
  presentPriceList,
  presentSettings,
  presentTestimonial,
} from "./present-settings.ts";
import type { Settings, SettingsBook, SettingsChange } from "./settings.ts";
import { presentSiteConfig } from "./site-config.ts";

/** Most changes on the history page. */
const mostChanges = 500;

type ChangeBody = { readonly expectedRevision: number };

/**
 * Builds the command for a request. Texts are stored before a command names them; a repeated request gets the same new
 * id.
 */
type CommandOf<Body> = (
  body: Body,
  book: SettingsBook,
  newId: string,
) => SettingsCommand | Promise<SettingsCommand>;

async function presented({ settings: book, directory, deps }: HandlerDependencies, settings: Settings) {
  const nameOf = await directory.namesOf([...settings.grants.keys()]);
  return presentSettings({ settings, given: book.given, nameOf, at: deps.now().toISOString() });
}

export const showSettings = staffRoute(contract.showSettings, (dependencies) => async () => ({
  body: await presented(dependencies, dependencies.settings.current()),
}));

export const showCannedAnswers = staffRoute(contract.showCannedAnswers, ({ settings }) => async () => ({
  body: presentCannedAnswers(settings.current()),
}));

export const showSettingsHistory = staffRoute(
  contract.showSettingsHistory,
  ({ settings, directory }) =>
    async () => {
      const changes = await settings.history(mostChanges);
      return { body: presentSettingsHistory(changes, await directory.namesOf(peopleIn(changes))) };
    },
);

/** Makes one change and answers all settings. */
const changing = <Body extends ChangeBody>(
  request: ApiRequest<string, readonly ["manager"], Schema<Body>, Answers>,
  commandOf: CommandOf<Body>,
): RouteOf =>
  staffRoute(request, (dependencies) => async ({ body, by, correlationId, idempotencyKey }) => {
    const { settings, deps } = dependencies;
    const key = keyFor(`settings ${by.userId}`, idempotencyKey);
    const commandId = clientCommandId(deps.deriveId, deps.newId, key);
    const { position, settings: changed } = await settings.execute({
      command: await commandOf(body, settings, deps.deriveId("setting", commandId)),
      commandId,
      by: { actor: { kind: "staff", id: by.userId }, correlationId },
      expectedRevision: body.expectedRevision,
    });
    return { body: await presented(dependencies, changed), position };
  });

type Answers = (typeof contract.schedulePrices)["answers"];

/** Every change to the settings, with the command it sends. */
export const settingChanges = [
  changing(contract.schedulePrices, ({ effectiveFrom, unitPricePence }) => ({
    type: "ChangePrices",
    data: { effectiveFrom, unitPricePence },
  })),
  changing(contract.withdrawPrices, ({ version }) => ({ type: "WithdrawPrices", data: { version } })),
  changing(contract.changeCompany, async ({ company }, book) => ({
    type: "ChangeCompanyDetails",
    data: {
      textDigest: await book.keep(company),
      missing: book.given.mustIdentify ? missingByLaw(company) : [],
    },
  })),
  changing(contract.changeRetention, ({ contactRetentionDays }, { given }) => ({
    type: "ChangeRetention",
    data: { contactRetentionDays, mostDays: given.contactRetentionDays },
  })),
  changing(contract.switchCertificateType, ({ certificateType, orderable }) => ({
    type: "ToggleCertificateType",
    data: { certificateType, orderable },
  })),
  changing(contract.changeRefundLimit, ({ refundLimitPence }) => ({
    type: "ChangeRefundLimit",
    data: { refundLimitPence },
  })),
  changing(contract.writeCannedAnswer, async ({ answerId, answer }, book, newId) => ({
    type: "ChangeCannedAnswer",
    data: { answerId: answerId ?? newId, textDigest: await book.keep(answer) },
  })),
  changing(contract.removeCannedAnswer, ({ answerId }) => ({
    type: "ChangeCannedAnswer",
    data: { answerId, textDigest: null },
  })),
  changing(contract.changeTestimonials, async ({ testimonials }, book) => ({
    type: "ChangeTestimonials",
    data: { textDigest: await book.keep(testimonials) },
  })),
  changing(contract.grantRole, ({ userId, role }) => ({ type: "GrantStaff", data: { userId, role } })),
  changing(contract.revokeRole, ({ userId }) => ({ type: "RevokeStaff", data: { userId } })),
];

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
const peopleIn = (changes: readonly SettingsChange[]): readonly string[] =>
  changes.flatMap(({ by, event }) =>
    event.type === "StaffGranted" || event.type === "StaffRevoked" ? [by, event.data.userId] : [by],
  );

/** Newest first. Money in pence. */
const presentSettingsHistory = (
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

const services = new Map<string, PricedCertificate>([
  ["birth-certificate", "Birth"],
  ["death-certificate", "Death"],
  ["marriage-certificate", "Marriage"],
  ["adoption-certificate", "Adoption"],
]);

export const prices = route(site.showPrices, ({ deps, settings }) => async ({ request }) => {
  const type = services.get(String(request.params.service));
  if (type === undefined) throw notFound();
  const list = priceListAt(deps.now().toISOString(), settings.current().prices);
  return { body: presentPrices(type, list) };
});

export const siteConfig = route(site.showSiteConfig, ({ deps, settings, site, facts }) => async () => ({
  body: presentSiteConfig({
    site,
    settings: settings.current(),
    facts: facts.current(),
    at: deps.now().toISOString(),
  }),
}));

/** Section 7's list, in pounds. */
function presentPrices(type: PricedCertificate, list: PriceList): Presented<typeof pricesAnswer> {
  const { standard, priority } = list.unitPricePence[type];
  return [
    { serviceId: "standard", retailPrice: poundsOf(standard) },
    { serviceId: "priority", retailPrice: poundsOf(priority) },
  ];
}
