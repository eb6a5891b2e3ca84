import type { OrderableTypes } from "../../domain/forms/options.ts";
import type { PriceLists } from "../../domain/pricing/price-list.ts";
import type { CannedAnswer } from "../../domain/settings/canned-answers.ts";
import { type Company, type LegalDetail, missingByLaw } from "../../domain/settings/company.ts";
import type { SettingsCommand } from "../../domain/settings/decide.ts";
import type { SettingsEvent } from "../../domain/settings/settings.ts";
import {
  type CompanyDetails,
  enteredCompany,
  type Testimonial,
} from "../../domain/settings/settings-texts.ts";
import type { Grant } from "../../domain/settings/vocabulary.ts";
import { type Config, ConfigurationError } from "../../infra/config/config.ts";
import type { Position } from "../../infra/event-store/event-store.ts";
import type { OnBehalf } from "../command-bus.ts";

/** A canned answer with its permanent id. */
export type KeptAnswer = CannedAnswer & { readonly answerId: string };

export type Settings = {
  /** Revision of the last change; -1 before the first. */
  readonly revision: number;
  /** In force and scheduled, oldest day first. */
  readonly prices: PriceLists;
  readonly orderableTypes: OrderableTypes;
  /** Never above the environment's limit. */
  readonly contactRetentionDays: number;
  /** A refund chosen by staff needs a second person above this amount. */
  readonly refundLimitPence: number;
  readonly company: CompanyDetails;
  readonly cannedAnswers: readonly KeptAnswer[];
  readonly testimonials: readonly Testimonial[];
  /** By user id. */
  readonly grants: ReadonlyMap<string, Grant>;
};

/** From the environment: initial values, and the bound of one setting. */
export type GivenSettings = {
  readonly company: CompanyDetails;
  /** Customers must know who we are: company details that lack what the law demands are refused. */
  readonly mustIdentify: boolean;
  /** Upper bound for the retention of contact data. */
  readonly contactRetentionDays: number;
  /** Exact usernames of managers, regardless of the settings. */
  readonly adminUsernames: readonly string[];
};

/** One change, with all settings before and after it. */
export type SettingsChange = {
  readonly revision: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Opaque id of the author. */
  readonly by: string;
  readonly event: SettingsEvent;
  readonly before: Settings;
  readonly after: Settings;
};

type SettingsRequest = {
  readonly command: SettingsCommand;
  readonly commandId: string;
  readonly by: OnBehalf;
  /** The revision the author of the change saw. */
  readonly expectedRevision: number;
};

/** The settings after a command, and the log position. */
type SettingsResult = { readonly settings: Settings; readonly position: Position };

/** For code that only reads the settings. */
export type CurrentSettings = { current(): Settings };

export type SettingsBook = CurrentSettings & {
  /** The settings known to this process: its own changes at once, others' as soon as they are read from the log. */
  current(): Settings;
  readonly given: GivenSettings;
  /** Stores a text for a command to name. @returns its digest */
  keep(text: unknown): Promise<string>;
  /** @throws Refused `setting-refused`, or `changed-meanwhile` if another change came first; CommandReused */
  execute(request: SettingsRequest): Promise<SettingsResult>;
  /** Newest first. */
  history(limit: number): Promise<readonly SettingsChange[]>;
  /** Undefined, or why the settings may be outdated. */
  trouble(): string | undefined;
  stop(): Promise<void>;
};

type CompanySettings = Pick<Config, (typeof settingOf)[keyof CompanyDetails]>;

/** The environment variable of each detail. */
const settingOf = {
  tradingName: "TRADING_NAME",
  companyName: "COMPANY_NAME",
  companyNumber: "COMPANY_NUMBER",
  vatNumber: "COMPANY_VAT_NUMBER",
  registeredIn: "COMPANY_REGISTERED_IN",
  registeredOffice: "COMPANY_REGISTERED_OFFICE",
  postalAddress: "POSTAL_ADDRESS",
  supportEmail: "SUPPORT_EMAIL",
  telephone: "SUPPORT_TELEPHONE",
  telephoneHours: "SUPPORT_HOURS",
  replyWorkingDays: "SUPPORT_REPLY_WORKING_DAYS",
} as const satisfies Record<keyof Company, keyof Config>;

/**
 * Who we are, as the environment has it.
 * @throws ConfigurationError naming each setting that is wrong
 */
export function companyGivenBy(config: CompanySettings): CompanyDetails {
  const parsed = enteredCompany.safeParse({
    tradingName: config.TRADING_NAME,
    companyName: config.COMPANY_NAME,
    companyNumber: config.COMPANY_NUMBER,
    vatNumber: config.COMPANY_VAT_NUMBER,
    registeredIn: config.COMPANY_REGISTERED_IN,
    registeredOffice: config.COMPANY_REGISTERED_OFFICE,
    postalAddress: config.POSTAL_ADDRESS,
    supportEmail: config.SUPPORT_EMAIL,
    telephone: config.SUPPORT_TELEPHONE,
    telephoneHours: config.SUPPORT_HOURS,
    replyWorkingDays: config.SUPPORT_REPLY_WORKING_DAYS,
  });
  if (parsed.success) return parsed.data;
  const sentences = parsed.error.issues.map(({ path, message }) => {
    const setting = Object.entries(settingOf).find(([detail]) => detail === path[0])?.[1];
    return `${setting}: ${message}. Correct it in the environment or in .env (see .env.example).`;
  });
  throw new ConfigurationError(sentences.join("\n"));
}

const legalWords: Readonly<Record<LegalDetail, string>> = {
  companyName: "the registered name of the company",
  companyNumber: "the company number",
  registeredIn: "where the company is registered",
  postalAddress: "a full postal address with its postcode (no PO box)",
  supportEmail: "an email address that receives mail",
};

/** Whether customers must be able to read who we are: in production, unless the sandbox is allowed. */
export const mustIdentify = ({
  NODE_ENV,
  ALLOW_SANDBOX,
}: Pick<Config, "NODE_ENV" | "ALLOW_SANDBOX">): boolean => NODE_ENV === "production" && !ALLOW_SANDBOX;

/** What the law demands and the details lack, with the setting of each: undefined where nothing is missing. */
export function missingWords(company: Company): string | undefined {
  const missing = missingByLaw(company).map((detail) => `${legalWords[detail]} (${settingOf[detail]})`);
  return missing.length === 0 ? undefined : missing.join(", ");
}

/**
 * What the environment says of the settings.
 * @throws ConfigurationError naming each setting that is wrong
 */
export const settingsGivenBy = (config: Config): GivenSettings => ({
  company: companyGivenBy(config),
  mustIdentify: mustIdentify(config),
  contactRetentionDays: config.CONTACT_RETENTION_DAYS,
  adminUsernames: config.ADMIN_USERNAMES,
});

/** @throws ConfigurationError in production while customers could not execute who we are */
export function refuseUnidentified(
  config: Pick<Config, "NODE_ENV" | "ALLOW_SANDBOX">,
  company: Company,
): void {
  const missing = mustIdentify(config) ? missingWords(company) : undefined;
  if (missing === undefined) return;
  throw new ConfigurationError(
    `NODE_ENV is production, but customers are not told what the law demands. Missing: ${missing}. Set each; where managers have changed the company details, change them there, with ALLOW_SANDBOX=1 until then.`,
  );
}
