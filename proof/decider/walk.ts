import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { type OrderCommand, orderCommandSchemas } from "../../domain/order/commands.ts";
import { type OrderEvent, orderEventSchema } from "../../domain/order/events.ts";
import { capturedPence, refundedPence, returnedPence } from "../../domain/order/payment/money.ts";
import { cellOf, hasEnded, phases } from "../../domain/order/phases.ts";
import { chosenIn, tally, walks } from "../../testing/domain/order-arbitraries.ts";
import { type Answer, answerTo, orderOf, type Walk, walkThrough } from "../../testing/domain/order-walk.ts";

type DeciderReport = {
  readonly commands: number;
  readonly accepted: number;
  /** Of all pairs of a command and a phase, those that were met. */
  readonly visited: number;
  readonly pairs: number;
  /** Empty when the decider and the model agree everywhere. */
  readonly findings: readonly string[];
};

const mostFindings = 20;
/** Walks that are drawn at once. */
const drawn = 1_000;

/**
 * Sends random commands to orders in every phase, and compares each answer with a plain model: the table of phases,
 * sums and fees kept beside the order's own, and what never changes.
 * @param table the model's; the product's unless a mistake is planted in it
 */
export function walkDecider(
  { commands, seed }: { readonly commands: number; readonly seed: number },
  table: typeof cellOf = cellOf,
): DeciderReport {
  const visited = new Set<string>();
  const findings: string[] = [];
  const counts = { commands: 0, accepted: 0 };

  function compare(before: Walk, command: OrderCommand, answer: Answer, next: Walk): void {
    const { phase } = orderOf(before);
    visited.add(`${command.type} ${phase}`);
    counts.commands += 1;
    if ("events" in answer) counts.accepted += 1;
    for (const finding of divergences(before, command, answer, next, table(command.type, phase)))
      if (findings.length < mostFindings) findings.push(`${command.type} in ${phase}: ${finding}`);
  }

  for (let nth = 0; counts.commands < commands && findings.length < mostFindings; nth++)
    for (const path of fc.sample(walks, { numRuns: drawn, seed: seed + nth })) walkThrough(path, compare);
  const pairs = Object.keys(orderCommandSchemas).length * phases.length;
  return { ...counts, visited: visited.size, pairs, findings };
}

type Cell = ReturnType<typeof cellOf>;

function* divergences(
  before: Walk,
  command: OrderCommand,
  answer: Answer,
  next: Walk,
  cell: Cell,
): Generator<string> {
  const refusedAs = "refused" in answer ? answer.refused.rule : undefined;
  if (cell !== "allowed" && refusedAs !== cell)
    yield `${refusedAs === undefined ? "was accepted" : `was refused as ${refusedAs}`} instead of ${cell}`;
  if (!isDeepStrictEqual(answerTo(before.state, command, next.at), answer))
    yield "was answered another time differently";
  if (!("events" in answer)) return;
  for (const event of answer.events)
    if (!orderEventSchema.safeParse(event).success)
      yield `made an event that the log may not hold: ${event.type}`;
  const [was, is] = [orderOf(before).phase, orderOf(next).phase];
  if (hasEnded(was) && is !== was) yield `led from ${was} to ${is}`;
  yield* wrongSums(next, answer.events);
  yield* wrongFees(next);
}

/** Sums that the order keeps, against those that are kept beside it. */
function* wrongSums(next: Walk, events: readonly OrderEvent[]): Generator<string> {
  const is = orderOf(next);
  const { captured, refunded } = tally(next.log);
  if (capturedPence(is) !== captured) yield `left ${capturedPence(is)} captured instead of ${captured}`;
  if (refundedPence(is) !== refunded) yield `left ${refundedPence(is)} refunded instead of ${refunded}`;
  for (const event of events) {
    if (event.type !== "RefundRequested" && event.type !== "BankTransferRecorded") continue;
    const { intentId } = event.data;
    if (returnedPence(is, intentId) > capturedPence(is, intentId)) yield "gives back more than was taken";
  }
}

/** The price stays as chosen, and its parts add up to it; the GRO's search is paid for where it has to search. */
function* wrongFees(next: Walk): Generator<string> {
  const { variant } = orderOf(next);
  const chosen = chosenIn(next.log);
  if (variant === null || chosen === null) return;
  const { unitPricePence, totalPence, feePerCopy } = variant;
  if (unitPricePence !== chosen.unitPricePence || totalPence !== chosen.totalPence)
    yield `left a price of ${totalPence} instead of ${chosen.totalPence}`;
  const { groFeePence, groSearchFeePence, ourFeePence } = feePerCopy;
  const parts = groFeePence + groSearchFeePence + ourFeePence;
  if (parts !== unitPricePence) yield `left fees of ${parts} in a price of ${unitPricePence}`;
  if (groSearchFeePence !== (chosen.groReferenceKnown ? 0 : 350))
    yield `left a search fee of ${groSearchFeePence} with ${chosen.groReferenceKnown ? "a" : "no"} reference`;
}
