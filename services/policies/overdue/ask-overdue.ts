import { groReferenceRecord } from "../../../domain/forms/sealed-records.ts";
import { submissionKeyOf } from "../../../domain/order/payment/provider-keys.ts";
import type { Order, Submission } from "../../../domain/order/state.ts";
import { StreamUnreadable } from "../../../infra/event-store/stream-unreadable.ts";
import { nameOfError } from "../../../infra/following/follower-faults.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { isStorageError, type StorageWatch } from "../../../infra/telemetry/storage/storage-watch.ts";
import { commandIds } from "../../orders/command-ids.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import { type OnBehalf, orderIfKnown } from "../../orders/orders.ts";
import { recordGroAnswer } from "../../orders/submission/gro-webhook.ts";
import type { Automation, SubmissionName, SubmissionStatus } from "../../providers/gro/automation.ts";
import { RecordGone, RecordUnreadable } from "../../vault/vault.ts";
import { placeOf } from "../perform-task.ts";
import { createRounds } from "../rounds.ts";
import { claimOverdue, noteAnswered, pageSize } from "./overdue-list.ts";

/** Page limit for a round; the rest waits for the next. */
const mostPages = 20;
export const askOverdueEverySeconds = 600;

type AskOverdueParts = {
  readonly pool: Pool;
  readonly deps: OrderDependencies;
  readonly automation: Automation;
  /** @throws OtherLogAnswers when another log has replaced the database's own, or the store's errors */
  readonly confirmLog: () => Promise<void>;
  readonly everySeconds: number;
  readonly storage?: StorageWatch;
};

type OverdueInquiry = {
  once(): Promise<void>;
  start(): void;
  /** Waits for work in progress, then stops. */
  stop(): Promise<void>;
};

/**
 * Asks the automation service about orders past their despatch date, in case its notice was lost. The answer becomes
 * the same command as a notice; the second of the two changes nothing. Safe to run in several processes at once.
 */
export function createOverdueInquiry(parts: AskOverdueParts): OverdueInquiry {
  const { pool, deps, confirmLog, everySeconds, storage } = parts;
  const rounds = createRounds(everySeconds, round);

  async function once(): Promise<void> {
    for (let page = 0; page < mostPages && !rounds.stopping.aborted; page += 1) {
      await confirmLog();
      const orderIds = await claimOverdue(pool, deps.now());
      if (orderIds.length > 0) await askAbout(parts, orderIds);
      if (orderIds.length < pageSize) return;
    }
  }

  // An unreachable service is left alone until the next round; claimed orders come round again within the hour.
  async function round(): Promise<void> {
    await once().catch((error: unknown) => {
      const facts = { code: nameOfError(error), place: placeOf(error) };
      if (storage && isStorageError(error)) storage.suspect(error);
      else deps.log.warn(facts, "the automation service could not be asked about overdue orders");
    });
  }

  return { once, start: rounds.start, stop: rounds.stop };
}

/** Submitted and, as far as we know, not yet despatched. */
type Overdue = { readonly order: Order; readonly submission: Submission };
type Answered = Overdue & { readonly status: SubmissionStatus };

/** @throws SubmissionUncertain, SubmissionRefused when the service does not answer */
async function askAbout(parts: AskOverdueParts, orderIds: readonly string[]): Promise<void> {
  const { pool, deps } = parts;
  const failed = new Set<string>();
  const found = orderIds.map((orderId) =>
    overdueOrder(deps, orderId).catch((error: unknown) => {
      if (!(error instanceof StreamUnreadable)) throw error;
      failed.add(orderId);
      return [];
    }),
  );
  const overdue = (await Promise.all(found)).flat();
  const byKey = await askByName(parts, overdue, async (one) => keyOf(one));
  const unknown = overdue.filter((one) => !byKey.some(({ order }) => order === one.order));
  const byReference = await askByName(parts, unknown, (one) => referenceOf(deps, one));
  for (const answered of [...byKey, ...byReference]) {
    if (!(await take(deps, answered))) failed.add(answered.order.orderId);
  }
  const done = orderIds.filter((orderId) => !failed.has(orderId));
  await noteAnswered(pool, done, deps.now());
}

/** The list is only a hint; the log decides. */
async function overdueOrder(deps: OrderDependencies, orderId: string): Promise<Overdue[]> {
  const order = await orderIfKnown(deps.orders, orderId);
  if (order?.phase !== "Submitted" || order.submission === null) return [];
  return [{ order, submission: order.submission }];
}

/** @returns the orders that the service knows by their submission key */
async function askByName(
  { automation }: AskOverdueParts,
  overdue: readonly Overdue[],
  nameOf: (one: Overdue) => Promise<SubmissionName | undefined>,
): Promise<Answered[]> {
  const named = await Promise.all(overdue.map(async (one) => ({ one, name: await nameOf(one) })));
  const asked = named.flatMap(({ one, name }) => (name === undefined ? [] : [{ one, name }]));
  if (asked.length === 0) return [];
  const statuses = await automation.statuses(asked.map(({ name }) => name));
  return asked.flatMap(({ one }, n) => {
    const status = statuses[n];
    return status?.state === "accepted" ? [{ ...one, status }] : [];
  });
}

const keyOf = ({ order, submission }: Overdue): SubmissionName | undefined =>
  submission.attempt === null ? undefined : { key: submissionKeyOf(order.orderId, submission.attempt) };

/** For orders submitted by staff, the service can only know the GRO reference. */
async function referenceOf(
  { vault }: OrderDependencies,
  { order }: Overdue,
): Promise<SubmissionName | undefined> {
  const ref = order.vault.groReferences.at(-1);
  if (ref === undefined) return undefined;
  try {
    const { groOrderReference } = await vault.open(ref, groReferenceRecord);
    return { groOrderReference };
  } catch (error) {
    if (error instanceof RecordGone || error instanceof RecordUnreadable) return undefined;
    throw error;
  }
}

/**
 * @returns false when it could not be recorded: it is asked about again within the hour, and does not block the others
 */
async function take(deps: OrderDependencies, { order, submission, status }: Answered): Promise<boolean> {
  if (status.state !== "accepted" || status.latest === null) return true;
  const { orderId } = order;
  const { kind } = status.latest;
  if (order.outcome?.outcome === kind) return true;
  const { attempt } = submission;
  const by: OnBehalf = { actor: { kind: "system", id: "reconciliation" }, correlationId: deps.newId() };
  const answer = { orderId, attempt, ...status.latest };
  try {
    const { revision } = await deps.orders.load(orderId);
    const recorded = await recordGroAnswer(deps, answer, commandIds.groAsked(orderId, attempt, kind), by);
    // A missed notice: the operator should check the service's callbacks.
    if (recorded.revision > revision)
      deps.log.warn({ orderId, kind }, "the automation service reported a change without a notice");
    return true;
  } catch (error) {
    const fault = { orderId, kind, code: nameOfError(error), place: placeOf(error) };
    deps.log.warn(fault, "the status of an overdue order could not be recorded");
    return false;
  }
}
