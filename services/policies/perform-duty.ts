import { z } from "zod";
import { Refused } from "../../domain/decider.ts";
import type { Duty, DutyKind } from "../../domain/order/duty.ts";
import { owed } from "../../domain/order/owed.ts";
import type { Order } from "../../domain/order/state.ts";
import type { JobHandler } from "../../infra/jobs/jobs.ts";
import type { OnBehalf } from "../commands/orders.ts";
import { askSubmission } from "./duties/ask-submission.ts";
import { cancel } from "./duties/cancel.ts";
import { fail, fulfil, requestRefund, submissionRequest } from "./duties/decide-only.ts";
import { destroyRecord } from "./duties/destroy-record.ts";
import { mail } from "./duties/mail.ts";
import { purge } from "./duties/purge.ts";
import { refund } from "./duties/refund.ts";
import { submit } from "./duties/submit.ts";
import { postponeDuty, settleDuty } from "./duty-list.ts";
import type { DutyParts, Errand, Outcome } from "./errand.ts";

const jobData = z.object({ orderId: z.string(), name: z.string() });

/** The handler of every duty's job: does it if it is still owed and due. Safe to run twice, late or at once with itself. */
export function createDutyHandler(parts: DutyParts): JobHandler {
  const { pool, now, log } = parts;
  return async (data, { id }) => {
    const { orderId, name } = jobData.parse(data);
    try {
      const outcome = await performByName(parts, orderId, name);
      await (outcome === "settled"
        ? settleDuty(pool, orderId, name)
        : postponeDuty(pool, orderId, name, now()));
    } catch (error) {
      if (error instanceof Refused) {
        // Somebody else was faster, or the order went another way: then it is owed no longer.
        log.info({ orderId, duty: name, rule: error.rule }, "a duty was refused");
        return settleDuty(pool, orderId, name);
      }
      await postponeDuty(pool, orderId, name, now());
      log.warn(
        { orderId, duty: name, job: id, code: error instanceof Error ? error.name : "unknown" },
        "a duty failed",
      );
      throw error;
    }
  };
}

async function performByName(parts: DutyParts, orderId: string, name: string): Promise<Outcome> {
  const { order } = await parts.desk.orders.load(orderId);
  const at = parts.now().toISOString();
  const duty = owed(order, at, parts.settings).find((candidate) => candidate.name === name);
  if (!duty) return "settled";
  if (Date.parse(duty.dueAt) > Date.parse(at)) return "later";
  return perform(parts, order, duty);
}

function perform(parts: DutyParts, order: Order, duty: Duty): Promise<Outcome> {
  const by: OnBehalf = { actor: { kind: "system", id: "policies" }, correlationId: parts.desk.newId() };
  const on = <Kind extends DutyKind["kind"]>(own: Extract<Duty, { kind: Kind }>): Errand<Kind> => ({
    order,
    duty: own,
    by,
    commandId: `duty-${order.orderId}-${own.name}`,
  });
  switch (duty.kind) {
    case "cancel":
      return cancel(parts, on(duty));
    case "requestSubmission":
      return submissionRequest(parts, on(duty));
    case "mail":
      return mail(parts, on(duty));
    case "submit":
      return submit(parts, on(duty));
    case "askSubmission":
      return askSubmission(parts, on(duty));
    case "purge":
      return purge(parts, on(duty));
    case "destroyRecord":
      return destroyRecord(parts, on(duty));
    case "fail":
      return fail(parts, on(duty));
    case "fulfil":
      return fulfil(parts, on(duty));
    case "requestRefund":
      return requestRefund(parts, on(duty));
    case "refund":
      return refund(parts, on(duty));
    default:
      return duty satisfies never;
  }
}
