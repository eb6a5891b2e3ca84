import { z } from "zod";
import {
  type CompanyDetails,
  cannedAnswer,
  companyDetails,
  testimonials,
} from "../../domain/settings/settings-texts.ts";
import type { SettingsState } from "../../domain/settings/state.ts";
import { firstAnswers } from "./first-answers.ts";
import type { GivenSettings, KeptAnswer, Settings } from "./settings.ts";
import type { SettingsTexts } from "./settings-texts.ts";

/** The settings for a state of the stream: texts looked up, gaps filled from the environment. */
export async function settingsOf(
  state: SettingsState,
  texts: Pick<SettingsTexts, "read">,
  given: GivenSettings,
): Promise<Settings> {
  const { companyDigest, testimonialsDigest } = state;
  const [company, quotes, cannedAnswers] = await Promise.all([
    companyDigest === null ? given.company : companyOf(await texts.read(companyDigest), given),
    testimonialsDigest === null ? [] : testimonials.parse(await texts.read(testimonialsDigest)),
    answersOf(state.cannedAnswers, texts),
  ]);
  return {
    revision: state.revision,
    prices: state.priceLists,
    orderableTypes: state.orderable,
    contactRetentionDays: Math.min(
      state.contactRetentionDays ?? given.contactRetentionDays,
      given.contactRetentionDays,
    ),
    refundLimitPence: state.refundLimitPence,
    company,
    cannedAnswers,
    testimonials: quotes,
    grants: state.grants,
  };
}

/** A text kept before a detail existed leaves that one to the environment. */
const companyOf = (kept: unknown, given: GivenSettings): CompanyDetails =>
  companyDetails.parse({ ...given.company, ...z.looseObject({}).parse(kept) });

/** The initial answers, unless changed or removed, then the added ones by title. */
async function answersOf(
  changed: SettingsState["cannedAnswers"],
  texts: Pick<SettingsTexts, "read">,
): Promise<readonly KeptAnswer[]> {
  const untouched = firstAnswers.filter(({ answerId }) => !changed.has(answerId));
  const kept = await Promise.all(
    [...changed].map(async ([answerId, digest]) =>
      digest === null ? [] : [{ answerId, ...cannedAnswer.parse(await texts.read(digest)) }],
    ),
  );
  return [...untouched, ...kept.flat()].sort((a, b) => a.title.localeCompare(b.title, "en-GB"));
}
