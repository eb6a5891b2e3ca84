import type { z } from "zod";
import * as asked from "../../../domain/settings/settings-requests.ts";
import {
  type CommandOf,
  changeSetting,
  showCannedAnswers,
  showSettings,
  showSettingsHistory,
} from "../admin-handlers/settings.ts";
import { cannedAnswersAnswer, settingsAnswer } from "../admin-presenters/settings.ts";
import { settingsHistoryAnswer } from "../admin-presenters/settings-history.ts";
import { answers } from "../answers.ts";
import type { Parts } from "../parts.ts";
import { forRoles, noBody, type Route } from "../route.ts";

/** Settings: managers see and change them; who answers tickets reads the canned answers. */
export const settingsRoutes = (parts: Parts): readonly Route[] => {
  const change = <Body extends { readonly expectedRevision: number }>(
    path: string,
    summary: string,
    body: z.ZodType<Body>,
    commandOf: CommandOf<Body>,
  ): Route =>
    forRoles("POST", `/api/admin/settings/${path}`, ["manager"], {
      summary,
      answers: answers(settingsAnswer),
      refuses: ["changed-meanwhile", "setting-refused", "idempotency-key-reused"],
      limit: "commands",
      body,
      handle: changeSetting(parts, commandOf),
    });
  return [
    forRoles("GET", "/api/admin/settings", ["manager"], {
      summary: "Every setting",
      limit: "reads",
      body: noBody,
      answers: answers(settingsAnswer),
      handle: showSettings(parts),
    }),
    forRoles("GET", "/api/admin/settings/history", ["manager"], {
      summary: "Every change of the settings",
      limit: "reads",
      body: noBody,
      answers: answers(settingsHistoryAnswer),
      handle: showSettingsHistory(parts),
    }),
    forRoles("GET", "/api/admin/settings/canned-answers", ["staff", "manager"], {
      summary: "The canned answers",
      limit: "reads",
      body: noBody,
      answers: answers(cannedAnswersAnswer),
      handle: showCannedAnswers(parts),
    }),
    change("prices", "Schedule a price list", asked.pricesRequest, ({ effectiveFrom, unitPricePence }) => ({
      type: "ChangePrices",
      data: { effectiveFrom, unitPricePence },
    })),
    change("prices/withdraw", "Withdraw a scheduled price list", asked.withdrawalRequest, ({ version }) => ({
      type: "WithdrawPrices",
      data: { version },
    })),
    change("company", "Change who we are", asked.companyRequest, async ({ company }, book) => ({
      type: "ChangeCompanyDetails",
      data: { textDigest: await book.keep(company) },
    })),
    change(
      "retention",
      "Change how long contact data is kept",
      asked.retentionRequest,
      ({ contactRetentionDays }, { given }) => ({
        type: "ChangeRetention",
        data: { contactRetentionDays, mostDays: given.contactRetentionDays },
      }),
    ),
    change(
      "certificate-types",
      "Switch a certificate on or off",
      asked.certificateTypeRequest,
      ({ certificateType, orderable }) => ({
        type: "ToggleCertificateType",
        data: { certificateType, orderable },
      }),
    ),
    change(
      "refund-limit",
      "Change what one person may refund",
      asked.refundLimitRequest,
      ({ refundLimitPence }) => ({
        type: "ChangeRefundLimit",
        data: { refundLimitPence },
      }),
    ),
    change(
      "canned-answers",
      "Write a canned answer",
      asked.cannedAnswerRequest,
      async ({ answerId, answer }, book, newId) => ({
        type: "ChangeCannedAnswer",
        data: { answerId: answerId ?? newId, textDigest: await book.keep(answer) },
      }),
    ),
    change("canned-answers/remove", "Remove a canned answer", asked.cannedAnswerRemoval, ({ answerId }) => ({
      type: "ChangeCannedAnswer",
      data: { answerId, textDigest: null },
    })),
    change(
      "testimonials",
      "Change the testimonials",
      asked.testimonialsRequest,
      async ({ testimonials }, book) => ({
        type: "ChangeTestimonials",
        data: { textDigest: await book.keep(testimonials) },
      }),
    ),
    change("staff/grant", "Give somebody a role", asked.grantRequest, ({ userId, role }) => ({
      type: "GrantStaff",
      data: { userId, role },
    })),
    change("staff/revoke", "Take somebody's role", asked.revocationRequest, ({ userId }) => ({
      type: "RevokeStaff",
      data: { userId },
    })),
  ];
};
