import { variantBody } from "./request-bodies-fixture.ts";

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
  [`POST ${actions}/record-outcome`]: { body: () => ({ ...act, outcome: "queried" }), status: 409 },
  [`POST ${actions}/record-dispatch`]: { body: () => ({ ...act, dispatchedAt: long }), status: 409 },
  [`POST ${actions}/cancel`]: { body: () => act, status: 200 },
  [`POST ${actions}/fail`]: { body: () => ({ ...act, cause: "ours", failure: "serviceError" }), status: 409 },
  [`POST ${actions}/request-erasure`]: { body: () => act, status: 200 },
  [`POST ${actions}/refund`]: { body: () => ({ ...act, intentId: "pi_1", amountPence: 100 }), status: 409 },
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
