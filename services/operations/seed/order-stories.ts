import { secondsPerDay } from "../../../domain/instant.ts";
import { returnedWhenNotFoundPence } from "../../../domain/pricing/price-list.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";
import { takePaymentNotice } from "../../orders/payments/payment-webhook.ts";
import { outcomeCommand } from "../../orders/submission/gro-outcome.ts";
import { requestSubmission } from "../../orders/submission/submit-order.ts";
import {
  attemptOf,
  confirm,
  firstPayment,
  fulfil,
  fulfilSubmitted,
  open,
  pay,
  payTogether,
  refund,
  submit,
  submitPaid,
} from "./order-course.ts";
import { by, byStaff, look, type Scene } from "./seed-system.ts";
import { between } from "./seeded-random.ts";

/** Plays the life so far of an order, or of several of one payment, and returns their ids. `days` bounds its duration. */
type Story = {
  readonly days: number;
  readonly execute: (scene: Scene) => Promise<string | readonly string[]>;
};

const story = (days: number, execute: Story["execute"]): Story => ({ days, execute });

/** The stories with their weights; `age` is the range in days since an order began. */
export const orderStories: readonly {
  readonly story: Story;
  readonly weight: number;
  readonly age: readonly [number, number];
}[] = [
  { story: story(20, (scene) => fulfil(scene, between(scene.random, 1, 14))), weight: 46, age: [20, 170] },
  { story: story(1, submit), weight: 15, age: [1, 14] },
  { story: story(1, submit), weight: 4, age: [25, 55] },
  { story: story(1, submit), weight: 1, age: [95, 130] },
  { story: story(4, queried), weight: 3, age: [5, 12] },
  { story: story(2, stuck), weight: 2, age: [2, 6] },
  { story: story(1, undeliverable), weight: 2, age: [1, 5] },
  { story: story(1, open), weight: 3, age: [0.05, 0.6] },
  { story: story(2, expired), weight: 6, age: [3, 170] },
  { story: story(20, together), weight: 9, age: [20, 150] },
  { story: story(1, refundToAssign), weight: 1, age: [1.5, 2.5] },
  { story: story(1, cancelled), weight: 5, age: [2, 150] },
  { story: story(3, failedByUs), weight: 2, age: [5, 140] },
  { story: story(11, notFound), weight: 4, age: [12, 160] },
  { story: story(4, refundToApprove), weight: 2, age: [5, 9] },
  { story: story(5, refundFailed), weight: 1, age: [6, 20] },
  { story: story(9, disputed), weight: 1, age: [10, 40] },
  { story: story(9, givenBackTwice), weight: 1, age: [10, 40] },
  { story: story(6, contradiction), weight: 1, age: [7, 30] },
];

/** The GRO has no such record; its refund goes back to the customer. */
async function notFound(scene: Scene): Promise<string> {
  const { system, random } = scene;
  const orderId = await submit(scene);
  system.pass(between(random, 3, 9) * secondsPerDay);
  await system.execute(
    orderId,
    { type: "RecordGROOutcome", data: { attempt: null, outcome: "notFound", questionRef: null } },
    by("provider"),
  );
  const order = await system.execute(orderId, {
    type: "FailOrder",
    data: { cause: "gro", reason: "recordNotFound" },
  });
  const returned = order.variant
    ? returnedWhenNotFoundPence(order.variant.feePerCopy, order.variant.copies)
    : 0;
  await refund(scene, orderId, "recordNotFound", { amountPence: returned });
  return orderId;
}

/** Several certificates with one payment. Now and then one is cancelled, or partly refunded later. */
async function together(scene: Scene): Promise<readonly string[]> {
  const { system, random } = scene;
  const orderIds = await payTogether(scene);
  const [first = "", ...others] = orderIds;
  const isCancelled = random() < 0.3;
  if (isCancelled) await cancelPaid(scene, first);
  else await submitPaid(scene, first);
  for (const orderId of others) await submitPaid(scene, orderId);
  for (const orderId of isCancelled ? others : orderIds) {
    system.pass(between(random, 1, 3) * secondsPerDay);
    await fulfilSubmitted(scene, orderId);
  }
  const partly = { amountPence: 1_000, asker: byStaff(1) };
  if (random() < 0.3) await refund(scene, others[0] ?? "", "staffDecision", partly);
  return orderIds;
}

/** Someone refunded in the provider's dashboard, which does not say for which of the orders. */
async function refundToAssign(scene: Scene): Promise<readonly string[]> {
  const { system, random } = scene;
  const orderIds = await payTogether(scene);
  for (const orderId of orderIds) await submitPaid(scene, orderId);
  const { order } = await system.deps.orders.load(orderIds[0] ?? "");
  const { intentId } = firstPayment(order);
  system.pass(between(random, 1, 4) * 3_600);
  const refundId = await system.refundAtProvider({ intentId, amountPence: 2_000 });
  const notice = { eventId: system.deps.newId(), kind: "refund", intentId, refundId } as const;
  await takePaymentNotice(system.deps, notice, by("provider"));
  return orderIds;
}

/** The customer cancelled in time, and was refunded. */
async function cancelled(scene: Scene): Promise<string> {
  const orderId = await pay(scene);
  await cancelPaid(scene, orderId);
  return orderId;
}

async function cancelPaid(scene: Scene, orderId: string): Promise<void> {
  const { system, random } = scene;
  system.pass(between(random, 20, 55));
  await cancelOrder(system.deps, orderId, "customerRequest", by("customer", orderId));
  await system.purge(orderId, "application", "cancelled");
  await refund(scene, orderId, "cancelled");
}

async function expired(scene: Scene): Promise<string> {
  const { system } = scene;
  const orderId = await open(scene);
  system.pass(secondsPerDay);
  await system.execute(orderId, { type: "CancelOrder", data: { reason: "expired", closedIntentId: null } });
  await system.purge(orderId, "application", "neverPaid");
  await system.purge(orderId, "contact", "neverPaid");
  return orderId;
}

/** Failed by staff for a reason of ours: fully refunded. */
async function failedByUs(scene: Scene): Promise<string> {
  const { system } = scene;
  const orderId = await confirm(scene);
  system.pass(2 * secondsPerDay);
  await look(system, 1, orderId, "application", "amendment");
  system.pass(240);
  await system.execute(
    orderId,
    { type: "FailOrder", data: { cause: "ours", reason: "serviceError" } },
    byStaff(1),
  );
  await system.purge(orderId, "application", "failed");
  await refund(scene, orderId, "failedByUs");
  return orderId;
}

const questionText =
  "We found two entries that could be the one.\nWhat was the mother's surname before she married, and in which town was the birth?";

async function queried(scene: Scene): Promise<string> {
  const { system, random } = scene;
  const orderId = await submit(scene);
  system.pass(between(random, 1, 3) * secondsPerDay);
  const named = { orderId, commandId: system.deps.newId(), repeatable: false };
  const reported = { attempt: null, outcome: "queried", question: questionText } as const;
  await system.deps.orders.execute({
    orderId,
    by: by("provider"),
    ...outcomeCommand(system.deps, named, reported),
  });
  await system.sendMails(orderId);
  system.pass(between(random, 1, 5) * 3_600);
  await look(system, 2, orderId, "question", "groQuery");
  return orderId;
}

/** The automation service refused it eight times: it needs staff. */
async function stuck(scene: Scene): Promise<string> {
  const { system } = scene;
  const orderId = await confirm(scene);
  for (const pause of [60, 300, 900, 3_600, 7_200, 14_400, 28_800, 60]) {
    const attempt = await attemptOf(scene, orderId);
    await system.execute(orderId, { type: "StartSubmission", data: { attempt, channel: "automation" } });
    system.pass(2);
    await system.execute(orderId, {
      type: "RecordSubmissionFailure",
      data: { attempt, code: "rejected", certain: true },
    });
    system.pass(pause);
  }
  system.pass(1_800);
  await look(system, 1, orderId, "application", "manualSubmission");
  return orderId;
}

/** The confirmation could not be delivered. */
async function undeliverable(scene: Scene): Promise<string> {
  const { system } = scene;
  const orderId = await pay(scene);
  const { order } = await requestSubmission(system.deps, orderId, by("customer", orderId));
  system.pass(4);
  const about = order.confirmation.about ?? "";
  await system.execute(orderId, {
    type: "RecordMail",
    data: { template: "confirmation", templateVersion: 1, about, result: "refused" },
  });
  system.pass(5_400);
  await look(system, 2, orderId, "contact", "customerAsked");
  return orderId;
}

/** A member of staff wants to refund more than one person may. */
async function refundToApprove(scene: Scene): Promise<string> {
  const { system, random } = scene;
  const orderId = await fulfil(scene, 3);
  system.pass(between(random, 1, 4) * 3_600);
  await look(system, 2, orderId, "contact", "customerAsked");
  const { order } = await system.deps.orders.load(orderId);
  const { intentId, amountPence } = firstPayment(order);
  const data = { intentId, amountPence, reason: "staffDecision", approvalAbovePence: 2_000 } as const;
  await system.execute(orderId, { type: "RequestRefund", data }, byStaff(2));
  return orderId;
}

/** The card accepts no more refunds, however often they are tried. */
async function refundFailed(scene: Scene): Promise<string> {
  const { system } = scene;
  const orderId = await fulfil(scene, 4);
  const { order } = await system.deps.orders.load(orderId);
  const { intentId } = firstPayment(order);
  const wanted = { intentId, amountPence: 1_000 };
  for (let failure = 1; failure <= 3; failure++) {
    const data = { ...wanted, reason: "staffDecision", approvalAbovePence: null } as const;
    const asked = await system.execute(orderId, { type: "RequestRefund", data }, byStaff(1));
    const refundId = asked.refunds.at(-1)?.refundId ?? null;
    system.pass(30);
    const refusal = { ...wanted, refundId, providerRefundId: null, code: "expiredOrCancelledCard" } as const;
    await system.execute(orderId, { type: "RecordRefundFailure", data: refusal }, by("provider"));
  }
  return orderId;
}

/** The customer reported to the bank that nothing came. */
async function disputed(scene: Scene): Promise<string> {
  const { system } = scene;
  const orderId = await fulfil(scene, 6);
  system.pass(2 * secondsPerDay);
  await look(system, 1, orderId, "contact", "fraudCheck");
  const { order } = await system.deps.orders.load(orderId);
  const { intentId, amountPence } = firstPayment(order);
  const disputeId = `du_${orderId.slice(0, 8)}`;
  const why = { reason: "productNotReceived", outcome: null } as const;
  await system.execute(
    orderId,
    { type: "RecordDispute", data: { disputeId, intentId, amountPence, ...why } },
    by("provider"),
  );
  return orderId;
}

/** We refunded, and then the bank did too. */
async function givenBackTwice(scene: Scene): Promise<string> {
  const { system } = scene;
  const orderId = await fulfil(scene, 6);
  await refund(scene, orderId, "staffDecision", { asker: byStaff(1) });
  system.pass(2 * secondsPerDay);
  const { order } = await system.deps.orders.load(orderId);
  const { intentId, amountPence } = firstPayment(order);
  const disputeId = `du_${orderId.slice(0, 8)}`;
  const why = { reason: "productNotReceived", outcome: "lost" } as const;
  await system.execute(
    orderId,
    { type: "RecordDispute", data: { disputeId, intentId, amountPence, ...why } },
    by("provider"),
  );
  return orderId;
}

/** The GRO reports the despatch of a cancelled order. */
async function contradiction(scene: Scene): Promise<string> {
  const { system } = scene;
  const orderId = await cancelled(scene);
  system.pass(5 * secondsPerDay);
  const dispatchedAt = system.deps.now().toISOString();
  await system.execute(
    orderId,
    { type: "RecordDispatch", data: { attempt: null, dispatchedAt } },
    by("provider"),
  );
  return orderId;
}
