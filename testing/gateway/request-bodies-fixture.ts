import { randomBytes, randomUUID } from "node:crypto";
import { death } from "../domain/form-fixture.ts";
import { answerId, everyTypeAt } from "../domain/settings-fixture.ts";
import { givenSettings } from "../services/settings-fixture.ts";

/** Bodies as posted by the wizard (section 7), for tests to vary. */

export const orderBody = (changes: Record<string, unknown> = {}) => ({
  companyName: "",
  email: "sian.rhys@post.example",
  contactFullName: "Mrs Siân Rhys",
  contactAddress: JSON.stringify({
    Address1: "1 Heol y Bont",
    Address2: "",
    Town: "Aberystwyth",
    County: "Ceredigion",
    Country: "United Kingdom",
    PostCode: "SY23 1AA",
  }),
  contactPhone: JSON.stringify({ Daytime: "01970 000000", Evening: "" }),
  totalAmount: 45,
  signature: "Siân Rhys",
  termsVersion: 2,
  consentVersion: 1,
  ...changes,
});

export const variantBody = (changes: Record<string, unknown> = {}) => ({
  certificateType: "Birth",
  customerFirstName: "Siân",
  customerLastName: "Rhys",
  gender: "Female",
  eventDetails: {
    EventRegistrationLocation: "England or Wales",
    EventType: "Birth",
    YearRegistered: 1970,
    GROReferenceKnown: false,
  },
  certificateDetails: {
    BirthCountry: "England and Wales",
    PlaceOfBirth: "Aberystwyth",
    SurnameAtBirth: "Llywelyn",
    ForenamesAtBirth: "Siân",
    gender: "Female",
    DateOfBirth: { Day: 1, Month: "March", Year: 1970 },
    FatherSurname: "",
    FatherForename: "",
    MotherForename: "Mair",
    MotherMaidenName: "Prydderch",
    MotherSurname: "Llywelyn",
    NumberOfCopies: 1,
  },
  gro: "",
  reference: "REF-2026-1",
  priorityDispatch: false,
  fullCertificateQty: 1,
  shortCertificateQty: 0,
  applyingForOwn: true,
  adopted: false,
  serviceType: "Standard",
  deliveryMethod: "Post",
  apostille: false,
  amount: 45,
  ...changes,
});

/** POST /api/tickets. */
export const ticketBody = (changes: Record<string, unknown> = {}) => ({
  name: "Siân Rhys",
  email: "sian.rhys@post.example",
  category: "question",
  subject: "Weekend post",
  message: "Do certificates arrive on Saturdays?\nDiolch!",
  ...changes,
});

/** Credentials of a ticket that does not exist. */
export const unknownTicket = { ticketNumber: "T-0000-0000-00000", email: "sian.rhys@post.example" };

/** The key of a link to a saved order, as a browser makes it. */
export const newDraftKey = (): string => randomBytes(32).toString("base64url");

const twoCopies = {
  fullCertificates: 2,
  shortCertificates: 0,
  isPriority: false,
  serviceType: "Standard",
  deliveryMethod: "Post",
  apostille: false,
};

/** POST /api/drafts: a death, and a birth that was left in step 3. */
export const draftBody = (changes: Record<string, unknown> = {}) => ({
  email: "sian.rhys@post.example",
  key: newDraftKey(),
  replaces: [],
  draft: {
    certificateType: "Birth",
    certificateOptions: twoCopies,
    others: [{ certificateType: "Death", certificateOptions: twoCopies, death }],
    place: 1,
    personalDetails: {
      title: "Mrs",
      firstName: "Siân",
      lastName: "Rhys",
      companyName: "",
      email: "sian.rhys@post.example",
      confirmEmail: "sian.rhys@post.example",
      address: {
        line1: "1 Heol y Bont",
        line2: "",
        town: "Aberystwyth",
        county: "Ceredigion",
        postcode: "SY23 1AA",
        country: "United Kingdom",
      },
      phone: { daytime: "01970 000000", evening: "" },
    },
    step: 3,
  },
  ...changes,
});

/** Staff requests for a priced order, whose revision is 1. */

const act = { reason: "customerAsked", expectedRevision: 1 };
const long = "2026-01-05T10:00:00.000Z";
const actions = "/api/admin/orders/{orderNumber}/actions";

type Row = { readonly body: () => unknown; readonly status: number };

/** Staff actions by route: a valid body, and the answer for a priced order. */
export const orderActs: Readonly<Record<string, Row>> = {
  "POST /api/admin/orders/{orderNumber}/reveal": {
    body: () => ({ dataClass: "contact", reason: "customerAsked" }),
    status: 200,
  },
  "POST /api/admin/orders/{orderNumber}/application.pdf": {
    body: () => ({ reason: "manualSubmission" }),
    status: 200,
  },
  [`POST ${actions}/add-note`]: { body: () => ({ ...act, note: "Rang, will ring again." }), status: 200 },
  [`POST ${actions}/correct-contact`]: {
    body: () => ({ ...act, contact: { email: "sian@post.example" } }),
    status: 200,
  },
  [`POST ${actions}/send-again`]: { body: () => act, status: 200 },
  [`POST ${actions}/amend-application`]: {
    body: () => ({ ...act, application: variantBody() }),
    status: 409,
  },
  [`POST ${actions}/start-submission`]: { body: () => act, status: 409 },
  [`POST ${actions}/record-submission`]: {
    body: () => ({ ...act, groOrderReference: "GRO 1", submittedAt: long }),
    status: 409,
  },
  [`POST ${actions}/record-submission-failure`]: { body: () => act, status: 409 },
  [`POST ${actions}/record-outcome`]: {
    body: () => ({ ...act, outcome: "queried", question: "Which Bangor?" }),
    status: 409,
  },
  [`POST ${actions}/record-dispatch`]: { body: () => ({ ...act, dispatchedAt: long }), status: 409 },
  [`POST ${actions}/cancel`]: { body: () => act, status: 200 },
  [`POST ${actions}/fail`]: { body: () => ({ ...act, cause: "ours", failure: "serviceError" }), status: 409 },
  [`POST ${actions}/request-erasure`]: { body: () => act, status: 200 },
  [`POST ${actions}/refund`]: { body: () => ({ ...act, intentId: "pi_1", amountPence: 100 }), status: 409 },
  [`POST ${actions}/assign-refund`]: {
    body: () => ({
      ...act,
      providerRefundId: "re_1",
      shares: [{ orderId: randomUUID(), amountPence: 100 }],
    }),
    status: 409,
  },
  [`POST ${actions}/record-bank-transfer`]: {
    body: () => ({ ...act, intentId: "pi_1", amountPence: 100, reference: "FT-4711" }),
    status: 409,
  },
  [`POST ${actions}/record-bank-transfer-return`]: { body: () => ({ ...act, transfer: 1 }), status: 409 },
  [`POST ${actions}/record-dispute-outcome`]: {
    body: () => ({ ...act, disputeId: "du_1", outcome: "won" }),
    status: 409,
  },
};

/** The same, for managers only. */
export const orderDecisions: Readonly<Record<string, Row>> = {
  [`POST ${actions}/approve-proposal`]: { body: () => ({ ...act, proposal: 1 }), status: 409 },
  [`POST ${actions}/decline-proposal`]: { body: () => ({ ...act, proposal: 1 }), status: 409 },
};

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

/** What the card frame posts to `/confirm`: a card accepted without 3-D Secure. */
export const cardPaymentBody = (publishableKey: string, clientSecret: string) => ({
  publishableKey,
  clientSecret,
  number: "4242424242424242",
  expiryMonth: 12,
  expiryYear: 2090,
  securityCode: "123",
  returnUrl: null,
});
