import type { ApiRequest, Schema } from "../../contract/request.ts";
import * as changes from "../../contract/settings/changes.ts";
import * as contract from "../../contract/settings/settings.ts";
import type { SettingsCommand } from "../../domain/settings/commands.ts";
import { missingByLaw } from "../../domain/settings/company.ts";
import type { HandlerDependencies } from "../gateway/parts.ts";
import { keyFor } from "../gateway/routing/behalf.ts";
import type { RouteOf } from "../gateway/routing/route.ts";
import { staffRoute } from "../gateway/routing/route.ts";
import { clientCommandId } from "../orders/command-ids.ts";
import { presentCannedAnswers, presentSettings } from "./present-settings.ts";
import { peopleIn, presentSettingsHistory } from "./present-settings-history.ts";
import type { Settings, SettingsBook } from "./settings.ts";

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

type Answers = (typeof changes.schedulePrices)["answers"];

/** Every change to the settings, with the command it sends. */
export const settingChanges = [
  changing(changes.schedulePrices, ({ effectiveFrom, unitPricePence }) => ({
    type: "ChangePrices",
    data: { effectiveFrom, unitPricePence },
  })),
  changing(changes.withdrawPrices, ({ version }) => ({ type: "WithdrawPrices", data: { version } })),
  changing(changes.changeCompany, async ({ company }, book) => ({
    type: "ChangeCompanyDetails",
    data: {
      textDigest: await book.keep(company),
      missing: book.given.mustIdentify ? missingByLaw(company) : [],
    },
  })),
  changing(changes.changeRetention, ({ contactRetentionDays }, { given }) => ({
    type: "ChangeRetention",
    data: { contactRetentionDays, mostDays: given.contactRetentionDays },
  })),
  changing(changes.switchCertificateType, ({ certificateType, orderable }) => ({
    type: "ToggleCertificateType",
    data: { certificateType, orderable },
  })),
  changing(changes.changeRefundLimit, ({ refundLimitPence }) => ({
    type: "ChangeRefundLimit",
    data: { refundLimitPence },
  })),
  changing(changes.writeCannedAnswer, async ({ answerId, answer }, book, newId) => ({
    type: "ChangeCannedAnswer",
    data: { answerId: answerId ?? newId, textDigest: await book.keep(answer) },
  })),
  changing(changes.removeCannedAnswer, ({ answerId }) => ({
    type: "ChangeCannedAnswer",
    data: { answerId, textDigest: null },
  })),
  changing(changes.changeTestimonials, async ({ testimonials }, book) => ({
    type: "ChangeTestimonials",
    data: { textDigest: await book.keep(testimonials) },
  })),
  changing(changes.grantRole, ({ userId, role }) => ({ type: "GrantStaff", data: { userId, role } })),
  changing(changes.revokeRole, ({ userId }) => ({ type: "RevokeStaff", data: { userId } })),
];
