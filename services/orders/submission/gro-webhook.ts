import * as notices from "../../../contract/providers/notices.ts";
import { Refused } from "../../../domain/decider.ts";
import type { OrderCommand } from "../../../domain/order/commands.ts";
import { parseSubmissionKey } from "../../../domain/order/payment/provider-keys.ts";
import type { OrderState } from "../../../domain/order/state.ts";
import type { CommandRequest } from "../../command-bus.ts";
import { webhookRoute } from "../../gateway/route.ts";
import type { GroNotice } from "../../providers/gro/automation.ts";
import { commandIds } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import { type OnBehalf, type OrderResult, underOriginalRequest } from "../orders.ts";
import { outcomeCommand } from "./gro-outcome.ts";

/**
 * Handles a verified webhook of the automation service: the GRO's outcome of the attempt that its key names.
 * @returns undefined if the key or its order is not ours
 */
export async function takeGroNotice(
  deps: OrderDependencies,
  notice: GroNotice,
  by: OnBehalf,
): Promise<OrderResult | undefined> {
  const named = parseSubmissionKey(notice.key);
  if (named === undefined) {
    deps.log.error({ noticeId: notice.noticeId }, "a notice of the GRO names no submission");
    return undefined;
  }
  const { orderId, attempt } = named;
  const { kind, occurredAt, question } = notice;
  try {
    const answer = { orderId, attempt, kind, occurredAt, question };
    return await recordGroAnswer(deps, answer, commandIds.groNotice(notice.noticeId), by);
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "unknown-order") throw error;
    deps.log.error({ noticeId: notice.noticeId }, "a notice of the GRO names an order that is not ours");
    return undefined;
  }
}

/** The GRO's outcome of an attempt, from any source; `attempt` is null if none of ours started it. */
type GroAnswer = Omit<GroNotice, "noticeId" | "key"> & {
  readonly orderId: string;
  readonly attempt: number | null;
};

/** @throws Refused `unknown-order` */
export const recordGroAnswer = (
  deps: OrderDependencies,
  answer: GroAnswer,
  commandId: string,
  by: OnBehalf,
): Promise<OrderResult> =>
  underOriginalRequest(deps, answer.orderId, by, (matched) =>
    deps.orders.execute({ orderId: answer.orderId, by: matched, ...commandOf(deps, answer, commandId) }),
  );

function commandOf(
  deps: OrderDependencies,
  { orderId, kind, occurredAt, attempt, question }: GroAnswer,
  commandId: string,
): Omit<CommandRequest<OrderState, OrderCommand>, "by"> {
  switch (kind) {
    case "dispatched":
      return { commandId, command: { type: "RecordDispatch", data: { attempt, dispatchedAt: occurredAt } } };
    case "notFound":
    case "queried":
      // Not compared with its repeat: a service that sends an outcome again may have mended its text.
      return outcomeCommand(
        deps,
        { orderId, commandId, repeatable: false },
        { attempt, outcome: kind, question: question ?? null },
      );
    default:
      return kind satisfies never;
  }
}

/** On success the provider does not send it again. */
export const groNotice = webhookRoute(
  notices.groNotice,
  ({ deps, automation }) =>
    async ({ request, rawBody, correlationId }) => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value ?? "")]);
      const notice = automation.readNotice(rawBody, Object.fromEntries(headers));
      const by = { actor: { kind: "provider" as const, id: "gro" }, correlationId };
      await takeGroNotice(deps, notice, by);
      return { body: { received: true } };
    },
);
