import { variantRequest } from "../../../domain/forms/variant-request.ts";
import type { Role } from "../../identity/roles.ts";
import * as act from "../admin-handlers/order-actions.ts";
import { showOrderPage, showTimeline } from "../admin-handlers/order-reads.ts";
import { printApplication, revealOrder } from "../admin-handlers/order-reveals.ts";
import { schemaOfToday } from "../london-day.ts";
import * as body from "../order-action-bodies.ts";
import type { Parts } from "../parts.ts";
import { forRoles, noBody, type Route } from "../route.ts";

const everyone: readonly Role[] = ["staff", "manager", "compliance"];
const staff: readonly Role[] = ["staff", "manager"];
const managers: readonly Role[] = ["manager"];

const order = "/api/admin/orders/{orderNumber}";
const actions = `${order}/actions`;

/** One order: its state and its timeline, what is looked at, and what is done with it. */
export function orderRoutes(parts: Parts): readonly Route[] {
  const { now } = parts.desk;
  const variant = schemaOfToday(variantRequest, now);
  const limit = "commands";
  return [
    forRoles("GET", order, everyone, { limit: "reads", body: noBody, handle: showOrderPage(parts) }),
    forRoles("GET", `${order}/timeline`, everyone, {
      limit: "reads",
      body: noBody,
      handle: showTimeline(parts),
    }),

    forRoles("POST", `${order}/reveal`, staff, {
      limit,
      body: body.revealRequest,
      handle: revealOrder(parts),
    }),
    forRoles("POST", `${order}/application.pdf`, staff, {
      limit,
      body: body.formRequest,
      handle: printApplication(parts),
    }),

    forRoles("POST", `${actions}/add-note`, staff, {
      limit,
      body: body.noteRequest,
      handle: act.addNoteToOrder(parts),
    }),
    forRoles("POST", `${actions}/correct-contact`, staff, {
      limit,
      body: body.correctionRequest,
      handle: act.correctContact(parts),
    }),
    forRoles("POST", `${actions}/amend-application`, staff, {
      limit,
      body: body.amendmentRequest,
      handle: act.amendApplication(parts, variant),
    }),
    forRoles("POST", `${actions}/start-submission`, staff, {
      limit,
      body: body.actRequest,
      handle: act.startSubmission(parts),
    }),
    forRoles("POST", `${actions}/record-submission`, staff, {
      limit,
      body: body.submissionRequest(now),
      handle: act.recordSubmission(parts),
    }),
    forRoles("POST", `${actions}/record-submission-failure`, staff, {
      limit,
      body: body.actRequest,
      handle: act.recordSubmissionFailure(parts),
    }),
    forRoles("POST", `${actions}/record-outcome`, staff, {
      limit,
      body: body.outcomeRequest,
      handle: act.recordOutcome(parts),
    }),
    forRoles("POST", `${actions}/record-dispatch`, staff, {
      limit,
      body: body.dispatchRequest(now),
      handle: act.recordDispatch(parts),
    }),
    forRoles("POST", `${actions}/cancel`, staff, {
      limit,
      body: body.actRequest,
      handle: act.cancelOrder(parts),
    }),
    forRoles("POST", `${actions}/fail`, staff, {
      limit,
      body: body.failRequest,
      handle: act.failOrder(parts),
    }),
    forRoles("POST", `${actions}/request-erasure`, staff, {
      limit,
      body: body.actRequest,
      handle: act.requestErasure(parts),
    }),
    forRoles("POST", `${actions}/refund`, staff, {
      limit,
      body: body.refundRequest,
      handle: act.refundOrder(parts),
    }),
    forRoles("POST", `${actions}/approve-refund`, managers, {
      limit,
      body: body.proposalRequest,
      handle: act.approveProposal(parts),
    }),
    forRoles("POST", `${actions}/decline-refund`, managers, {
      limit,
      body: body.proposalRequest,
      handle: act.declineProposal(parts),
    }),
  ];
}
