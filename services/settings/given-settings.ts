import { type Company, type LegalDetail, missingByLaw } from "../../domain/settings/company.ts";
import { type CompanyDetails, enteredCompany } from "../../domain/settings/settings-texts.ts";
import { type Config, ConfigurationError } from "../../infra/config/config.ts";
import type { GivenSettings } from "./settings.ts";

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
