import type { z } from "zod";
import * as asked from "../../../domain/settings/settings-requests.ts";
import {
  type CommandOf,
  changeSetting,
  showCannedAnswers,
  showSettings,
  showSettingsHistory,
} from "../admin-handlers/settings.ts";
import type { Parts } from "../parts.ts";
import { forRoles, noBody, type Route } from "../route.ts";

/** Settings: managers see and change them; who answers tickets reads the canned answers. */
export const settingsRoutes = (parts: Parts): readonly Route[] => {
  const change = <Body extends { readonly expectedRevision: number }>(
    path: string,
    body: z.ZodType<Body>,
    commandOf: CommandOf<Body>,
  ): Route =>
    forRoles("POST", `/api/admin/settings/${path}`, ["manager"], {
      limit: "commands",
      body,
      handle: changeSetting(parts, commandOf),
    });
  return [
    forRoles("GET", "/api/admin/settings", ["manager"], {
      limit: "reads",
      body: noBody,
      handle: showSettings(parts),
    }),
    forRoles("GET", "/api/admin/settings/history", ["manager"], {
      limit: "reads",
      body: noBody,
      handle: showSettingsHistory(parts),
    }),
    forRoles("GET", "/api/admin/settings/canned-answers", ["staff", "manager"], {
      limit: "reads",
      body: noBody,
      handle: showCannedAnswers(parts),
    }),
    change("prices", asked.pricesRequest, ({ effectiveFrom, unitPricePence }) => ({
      type: "ChangePrices",
      data: { effectiveFrom, unitPricePence },
    })),
    change("prices/withdraw", asked.withdrawalRequest, ({ version }) => ({
      type: "WithdrawPrices",
      data: { version },
    })),
    change("company", asked.companyRequest, async ({ company }, book) => ({
      type: "ChangeCompanyDetails",
      data: { textDigest: await book.keep(company) },
    })),
    change("retention", asked.retentionRequest, ({ contactRetentionDays }, { given }) => ({
      type: "ChangeRetention",
      data: { contactRetentionDays, mostDays: given.contactRetentionDays },
    })),
    change("certificate-types", asked.certificateTypeRequest, ({ certificateType, orderable }) => ({
      type: "ToggleCertificateType",
      data: { certificateType, orderable },
    })),
    change("refund-limit", asked.refundLimitRequest, ({ refundLimitPence }) => ({
      type: "ChangeRefundLimit",
      data: { refundLimitPence },
    })),
    change("canned-answers", asked.cannedAnswerRequest, async ({ answerId, answer }, book, newId) => ({
      type: "ChangeCannedAnswer",
      data: { answerId: answerId ?? newId, textDigest: await book.keep(answer) },
    })),
    change("canned-answers/remove", asked.cannedAnswerRemoval, ({ answerId }) => ({
      type: "ChangeCannedAnswer",
      data: { answerId, textDigest: null },
    })),
    change("testimonials", asked.testimonialsRequest, async ({ testimonials }, book) => ({
      type: "ChangeTestimonials",
      data: { textDigest: await book.keep(testimonials) },
    })),
    change("staff/grant", asked.grantRequest, ({ userId, role }) => ({
      type: "GrantStaff",
      data: { userId, role },
    })),
    change("staff/revoke", asked.revocationRequest, ({ userId }) => ({
      type: "RevokeStaff",
      data: { userId },
    })),
  ];
};
