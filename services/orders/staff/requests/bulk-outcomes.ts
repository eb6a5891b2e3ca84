import type { actOnOrders, bulkAnswer } from "../../../../contract/staff-orders/list.ts";
import type { Log } from "../../../../infra/process/log.ts";
import type { OrderListEntry } from "../../../../projections/order-list/order-list.ts";
import { faultOf } from "../../../gateway/errors/fault.ts";
import { problemOf } from "../../../gateway/errors/problem-of-error.ts";
import type { Presented } from "../../../gateway/routing/presented.ts";
import type { AnswerTo } from "../../../gateway/routing/route.ts";
import type { Outcome } from "../act-on-many.ts";

/** The outcome for each order, in the order requested. */
export function presentBulk(
  outcomes: readonly Outcome[],
  listed: readonly OrderListEntry[],
  log: Log,
): AnswerTo<(typeof actOnOrders)["answers"]> {
  const numbers = new Map(listed.map(({ orderId, orderNumber }) => [orderId, orderNumber]));
  const positions = outcomes.flatMap((one) => ("position" in one ? [one.position] : []));
  const position = positions.toSorted().at(-1);
  const body: Presented<typeof bulkAnswer> = {
    outcomes: outcomes.map((one) => ({
      id: one.orderId,
      orderNumber: numbers.get(one.orderId) ?? null,
      outcome: one.outcome,
      why: whyOf(one, log),
    })),
  };
  return {
    body,
    ...(position !== undefined && { position }),
  };
}

/** The rule that refused it, or an error code; null on success. */
function whyOf(one: Outcome, log: Log): string | null {
  if (one.outcome === "refused") return one.rule;
  if (one.outcome !== "failed") return null;
  const { orderId, error } = one;
  const { code, status } = problemOf(error);
  if (status >= 500) log.error({ orderId, code, fault: faultOf(error) }, "one of many orders failed");
  return code;
}
