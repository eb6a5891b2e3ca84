import { answerId, everyTypeAt } from "../domain/settings-fixture.ts";
import { givenSettings } from "../services/settings-fixture.ts";

/** A valid body for each route that changes a setting, without the revision its sender has seen. */
export const settingsBodies = {
  prices: { effectiveFrom: "2040-01-02", unitPricePence: everyTypeAt(4900, 7900) },
  "prices/withdraw": { version: 2 },
  company: { company: { ...givenSettings.company, tradingName: "Ash & Oak" } },
  retention: { contactRetentionDays: 180 },
  "certificate-types": { certificateType: "Marriage", orderable: false },
  "refund-limit": { refundLimitPence: 50_00 },
  "canned-answers": { answer: { title: "Thanks", text: "Dear {{customerName}}, thank you." } },
  "canned-answers/remove": { answerId },
  testimonials: {
    testimonials: [{ quote: "Came in a week.", name: "M. Rhys", source: "Letter of 3 March 2026" }],
  },
  "staff/grant": { userId: "user_new", role: "staff" },
  "staff/revoke": { userId: "user_new" },
} as const;

/** The same as rows of the access table, from a sender that has seen a missing revision. */
export const settingsRows = <Answers>(answers: Answers) =>
  Object.fromEntries(
    Object.entries(settingsBodies).map(([path, body]) => [
      `POST /api/admin/settings/${path}`,
      { body: () => ({ ...body, expectedRevision: 10_000 }), answers },
    ]),
  );
