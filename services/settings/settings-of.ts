import { z } from "zod";
import { missingAfterWorkingDays, postWords } from "../../domain/promise/timetable.ts";
import type { SettingsState } from "../../domain/settings/settings.ts";
import {
  type CompanyDetails,
  cannedAnswer,
  companyDetails,
  testimonials,
} from "../../domain/settings/settings-texts.ts";
import type { SettingsTexts } from "./kept-texts.ts";
import type { GivenSettings, KeptAnswer, Settings } from "./settings.ts";

/** The initial canned answers. Their ids are permanent: changes refer to them. */
const firstAnswers: readonly KeptAnswer[] = [
  {
    answerId: "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0001",
    title: "Where is my order?",
    text: `Dear {{customerName}},

Your order {{orderNumber}} is {{status}}. We expect the General Register Office to despatch it by {{expectedDespatch}}. The post then usually takes ${postWords}.

You can follow it on your order’s page at any time.

Kind regards
{{companyName}}`,
  },
  {
    answerId: "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0002",
    title: "How to cancel",
    text: `Dear {{customerName}},

You can cancel order {{orderNumber}} yourself on the order’s page until the application is sent to the General Register Office, and get a full refund. If you can see the button, it is not too late.

Your order is {{status}}. Once the General Register Office has the application, our service is complete and the order can no longer be cancelled.

Kind regards
{{companyName}}`,
  },
  {
    answerId: "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0003",
    title: "The GRO has a question",
    text: `Dear {{customerName}},

The General Register Office has a question about the details we sent for order {{orderNumber}}. We delete certificate details once they are submitted, so please check them and enter them again on your order’s page. There is nothing more to pay.

Kind regards
{{companyName}}`,
  },
  {
    answerId: "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0004",
    title: "What we no longer have",
    text: `Dear {{customerName}},

The certificate details and the signature of order {{orderNumber}} were deleted straight after the General Register Office accepted the application. We can no longer read them. Your order’s page shows the certificate of deletion.

Kind regards
{{companyName}}`,
  },
  {
    answerId: "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0005",
    title: "The certificate has not arrived",
    text: `Dear {{customerName}},

Your order {{orderNumber}} was despatched by the General Register Office. Please allow ${missingAfterWorkingDays} working days for the post. If it has not arrived by then, reply here and we will ask the General Register Office to send it again, at no cost to you.

Kind regards
{{companyName}}`,
  },
];

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
