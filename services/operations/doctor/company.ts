import type { Company } from "../../../domain/settings/company.ts";
import type { Config } from "../../../infra/config/config.ts";
import type { EventStore } from "../../../infra/event-store/event-store.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import {
  companyGivenBy,
  missingWords,
  mustIdentify,
  settingsGivenBy,
} from "../../settings/given-settings.ts";
import { readSettings } from "../../settings/settings-book.ts";
import { createSettingsTexts } from "../../settings/settings-texts.ts";
import { type Finding, ok, warning, wrong } from "./finding.ts";

const about = "company";

/**
 * Whether customers can read what the law demands, which production starts with.
 * @param company as the settings have it; undefined where they cannot be read, and only the environment is known
 */
export function companyFinding(config: Config, company: Company | undefined): Finding {
  const missing = missingWords(company ?? companyGivenBy(config));
  if (missing === undefined) return ok(about, "customers are told who runs the service");
  const what = `customers are not told what the law demands: ${missing}`;
  const todo = "set each, or change the company details in the back office";
  if (!mustIdentify(config)) return ok(about, "not yet all that production demands");
  return company === undefined
    ? warning(about, `${what}; unless the back office has it, which only the database could tell`, todo)
    : wrong(about, what, todo);
}

/** The same with the settings as the log has them. */
export async function lookAtCompany(config: Config, store: EventStore, pool: Pool): Promise<Finding> {
  const texts = createSettingsTexts(pool);
  const { company } = await readSettings({ store, texts, given: settingsGivenBy(config) });
  return companyFinding(config, company);
}
