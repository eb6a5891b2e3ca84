import { z } from "zod";
import { variantRequest } from "../../../domain/forms/variant-request.ts";
import type { Role } from "../../identity/roles.ts";
import * as act from "../admin-handlers/order-actions.ts";
import { showOrderPage, showTimeline } from "../admin-handlers/order-reads.ts";
import { printApplication, revealOrder } from "../admin-handlers/order-reveals.ts";
import { orderPageAnswer } from "../admin-presenters/order/order-page.ts";
import { revealedAnswer } from "../admin-presenters/order/revealed.ts";
import { actedAnswer, stateAtAnswer, timelineAnswer } from "../admin-presenters/order/timeline.ts";
import { answers, file } from "../answers.ts";
import * as body from "../order-action-bodies.ts";
import type { Parts } from "../parts.ts";
import { forRoles, noBody, type Route } from "../route.ts";
import { schemaOfToday } from "../schema-of-today.ts";
import { timelineRequest } from "./timeline-request.ts";

const everyone: readonly Role[] = ["staff", "manager", "compliance"];
const staff: readonly Role[] = ["staff", "manager"];
const managers: readonly Role[] = ["manager"];

/** What every act on an order answers and may be refused with. */
const acted = {
  answers: answers(actedAnswer),
  refuses: ["not-found", "forbidden-in-phase", "changed-meanwhile", "idempotency-key-reused"],
} as const;

const order = "/api/admin/orders/{orderNumber}";
const actions = `${order}/actions`;

/** One order: its state and its timeline, what is looked at, and what is done with it. */
export function orderRoutes(parts: Parts): readonly Route[] {
  const { now } = parts.desk;
  const variant = schemaOfToday(variantRequest, now);
  const limit = "commands";
  return [
    forRoles("GET", order, everyone, {
      summary: "An order with all there is to know without opening the vault",
      limit: "reads",
      body: noBody,
      answers: answers(orderPageAnswer),
      refuses: ["not-found"],
      handle: showOrderPage(parts),
    }),
    forRoles("GET", `${order}/timeline`, everyone, {
      summary: "The timeline of an order, or the order after one of its events",
      limit: "reads",
      query: timelineRequest,
      answers: answers(z.union([timelineAnswer, stateAtAnswer])),
      refuses: ["not-found"],
      handle: showTimeline(parts),
    }),

    forRoles("POST", `${order}/reveal`, staff, {
      summary: "Look at personal data; the look is recorded",
      limit,
      body: body.revealRequest,
      answers: answers(revealedAnswer),
      refuses: ["not-found", "forbidden-in-phase", "personal-data-destroyed"],
      handle: revealOrder(parts),
    }),
    forRoles("POST", `${order}/application.pdf`, staff, {
      summary: "The filled form for the GRO; the look is recorded",
      limit,
      body: body.formRequest,
      answers: file("application/pdf"),
      refuses: ["not-found", "forbidden-in-phase", "personal-data-destroyed"],
      handle: printApplication(parts),
    }),

    forRoles("POST", `${actions}/add-note`, staff, {
      summary: "Note something about an order",
      limit,
      body: body.noteRequest,
      ...acted,
      handle: act.addNoteToOrder(parts),
    }),
    forRoles("POST", `${actions}/correct-contact`, staff, {
      summary: "Correct who is written to",
      limit,
      body: body.correctionRequest,
      ...acted,
      handle: act.correctContact(parts),
    }),
    forRoles("POST", `${actions}/amend-application`, staff, {
      summary: "Amend the application",
      limit,
      body: body.amendmentRequest,
      ...acted,
      handle: act.amendApplication(parts, variant),
    }),
    forRoles("POST", `${actions}/start-submission`, staff, {
      summary: "Begin a submission by hand",
      limit,
      body: body.actRequest,
      ...acted,
      handle: act.startSubmission(parts),
    }),
    forRoles("POST", `${actions}/record-submission`, staff, {
      summary: "Record a submission by hand",
      limit,
      body: body.submissionRequest(now),
      ...acted,
      handle: act.recordSubmission(parts),
    }),
    forRoles("POST", `${actions}/record-submission-failure`, staff, {
      summary: "Record that a submission by hand failed",
      limit,
      body: body.actRequest,
      ...acted,
      handle: act.recordSubmissionFailure(parts),
    }),
    forRoles("POST", `${actions}/record-outcome`, staff, {
      summary: "Record the GRO's answer",
      limit,
      body: body.outcomeRequest,
      ...acted,
      handle: act.recordOutcome(parts),
    }),
    forRoles("POST", `${actions}/record-dispatch`, staff, {
      summary: "Record the despatch",
      limit,
      body: body.dispatchRequest(now),
      ...acted,
      handle: act.recordDispatch(parts),
    }),
    forRoles("POST", `${actions}/cancel`, staff, {
      summary: "Cancel an order",
      limit,
      body: body.actRequest,
      ...acted,
      handle: act.cancelOrder(parts),
    }),
    forRoles("POST", `${actions}/fail`, staff, {
      summary: "Give an order up",
      limit,
      body: body.failRequest,
      ...acted,
      handle: act.failOrder(parts),
    }),
    forRoles("POST", `${actions}/request-erasure`, staff, {
      summary: "Ask for the erasure of contact data",
      limit,
      body: body.actRequest,
      ...acted,
      handle: act.requestErasure(parts),
    }),
    forRoles("POST", `${actions}/refund`, staff, {
      summary: "Give money back, or propose it to a second person",
      limit,
      body: body.refundRequest,
      ...acted,
      handle: act.refundOrder(parts),
    }),
    forRoles("POST", `${actions}/record-bank-transfer`, staff, {
      summary: "Record a bank transfer in the place of a refund that does not reach the card, or propose it",
      limit,
      body: body.bankTransferRequest,
      ...acted,
      handle: act.transferByBank(parts),
    }),
    forRoles("POST", `${actions}/record-bank-transfer-return`, staff, {
      summary: "Record that the bank sent a transfer back",
      limit,
      body: body.transferReturnRequest,
      ...acted,
      handle: act.returnTransfer(parts),
    }),
    forRoles("POST", `${actions}/record-dispute-outcome`, staff, {
      summary: "Record how a dispute ended that the provider does not close, or propose it",
      limit,
      body: body.disputeOutcomeRequest,
      ...acted,
      handle: act.closeDispute(parts),
    }),
    forRoles("POST", `${actions}/approve-proposal`, managers, {
      summary: "Approve what a colleague proposed",
      limit,
      body: body.proposalRequest,
      ...acted,
      handle: act.approve(parts),
    }),
    forRoles("POST", `${actions}/decline-proposal`, managers, {
      summary: "Decline what was proposed",
      limit,
      body: body.proposalRequest,
      ...acted,
      handle: act.decline(parts),
    }),
  ];
}
