import { secondsPerDay } from "../../domain/instant.ts";
import type { Order } from "../../domain/order/state.ts";
import type { RefundReason } from "../../domain/order/vocabulary.ts";
import { returnedWhenNotFoundPence } from "../../domain/pricing/fees.ts";
import { firstPriceList } from "../../domain/pricing/price-list.ts";
import { londonDate } from "../../domain/promise/london-time.ts";
import { addVariant } from "../commands/add-variant.ts";
import { cancelOrder } from "../commands/cancel-order.ts";
import { confirmOrderPayment } from "../commands/confirm-payment.ts";
import { createOrder } from "../commands/create-order.ts";
import { requestPayment } from "../commands/request-payment.ts";
import { requestSubmission } from "../commands/request-submission.ts";
import type { Person } from "./people.ts";
import { by, byStaff, type House, seedCorrelation } from "./seed-house.ts";
import { between, pickWeighted } from "./seeded-random.ts";
import { orderRequestOf, variantRequestOf, type Wish } from "./seeded-requests.ts";

/** A house, somebody who orders, and the die. */
export type Scene = { readonly house: House; readonly person: Person; readonly random: () => number };

/** Tells one order's life so far; answers its id. How long it takes is bounded by the story's `days`. */
export type Story = { readonly days: number; readonly tell: (scene: Scene) => Promise<string> };

function wishOf(random: () => number): Wish {
  const certificateType = pickWeighted<Wish["certificateType"]>(random, [
    ["Birth", 58],
    ["Death", 27],
    ["Marriage", 15],
  ]);
  const serviceLevel = pickWeighted<Wish["serviceLevel"]>(random, [
    ["standard", 70],
    ["priority", 30],
  ]);
  const copies = pickWeighted(random, [
    [1, 65],
    [2, 25],
    [3, 10],
  ]);
  const unitPence = firstPriceList.unitPricePence[certificateType][serviceLevel];
  return {
    certificateType,
    serviceLevel,
    copies,
    groReferenceKnown: random() < 0.4,
    totalPence: unitPence * copies,
  };
}

/** Opened and priced; nobody has paid. */
export async function open({ house, person, random }: Scene): Promise<string> {
  const { desk, pass } = house;
  const wish = wishOf(random);
  const { order } = await createOrder(desk, orderRequestOf(person, wish), undefined, seedCorrelation);
  const { orderId } = order;
  pass(between(random, 1, 4));
  const today = londonDate(desk.now().toISOString());
  const request = variantRequestOf(person, wish, today);
  await addVariant(desk, orderId, request, undefined, by("customer", orderId));
  return orderId;
}

/** Paid; nobody asked for the submission yet. */
export async function pay(scene: Scene): Promise<string> {
  const { house, random } = scene;
  const orderId = await open(scene);
  const customer = by("customer", orderId);
  const { order } = await house.desk.orders.load(orderId);
  house.pass(between(random, 2, 20));
  const asked = await requestPayment(house.desk, orderId, order.variant?.totalPence ?? 0, customer);
  const intentId = asked.order.intents.open?.intentId ?? "";
  house.pass(between(random, 25, 300));
  if (random() < 0.08) {
    await house.tell(
      orderId,
      { type: "RecordPaymentFailure", data: { intentId, code: "cardDeclined" } },
      by("provider"),
    );
    house.pass(between(random, 30, 200));
  }
  await house.payAtProvider(intentId);
  await confirmOrderPayment(house.desk, orderId, customer);
  return orderId;
}

/** Confirmed by mail, and ready for the GRO. */
export async function confirm(scene: Scene): Promise<string> {
  const { house, random } = scene;
  const orderId = await pay(scene);
  house.pass(between(random, 1, 50));
  await requestSubmission(house.desk, orderId, by("customer", orderId));
  house.pass(between(random, 1, 6));
  await house.sendMails(orderId);
  return orderId;
}

const attemptOf = async ({ house }: Scene, orderId: string): Promise<number> =>
  (await house.desk.orders.load(orderId)).order.attempts.count + 1;

/** The GRO has it, and the application is gone. */
export async function submit(scene: Scene): Promise<string> {
  const { house, random } = scene;
  const orderId = await confirm(scene);
  for (let failures = random() < 0.1 ? 1 : 0; failures >= 0; failures--) {
    const attempt = await attemptOf(scene, orderId);
    house.pass(between(random, 1, 3));
    await house.tell(orderId, { type: "StartSubmission", data: { attempt, channel: "automation" } });
    house.pass(between(random, 2, 90));
    if (failures > 0) {
      await house.tell(orderId, {
        type: "RecordSubmissionFailure",
        data: { attempt, code: "rejected", certain: true },
      });
      house.pass(60);
      continue;
    }
    const submittedAt = house.desk.now().toISOString();
    await house.tell(orderId, {
      type: "RecordSubmission",
      data: { attempt, groReferenceRef: null, submittedAt },
    });
  }
  house.pass(between(random, 5, 9));
  await house.purge(orderId, "application", "submitted");
  await house.sendMails(orderId);
  return orderId;
}

/** Despatched after so many days, and fulfilled. */
async function fulfil(scene: Scene, days: number): Promise<string> {
  const { house } = scene;
  const orderId = await submit(scene);
  house.pass(days * secondsPerDay);
  const dispatchedAt = house.desk.now().toISOString();
  await house.tell(
    orderId,
    { type: "RecordDispatch", data: { attempt: null, dispatchedAt } },
    by("provider"),
  );
  house.pass(1);
  await house.tell(orderId, { type: "FulfilOrder", data: {} });
  await house.sendMails(orderId);
  return orderId;
}

const firstPayment = ({ payments }: Order) => payments[0] ?? { intentId: "", amountPence: 0 };

/** Money goes back, and the provider in a box knows it too. */
async function refund({ house, random }: Scene, orderId: string, reason: RefundReason, amountPence?: number) {
  const { order } = await house.desk.orders.load(orderId);
  const { intentId, amountPence: paid } = firstPayment(order);
  const data = { intentId, amountPence: amountPence ?? paid, reason, approvalAbovePence: null };
  const asked = await house.tell(orderId, { type: "RequestRefund", data });
  const refundId = asked.refunds.at(-1)?.refundId ?? "";
  house.pass(between(random, 2, 60));
  await house.refundAtProvider({ refundId, intentId, amountPence: data.amountPence });
  await house.tell(
    orderId,
    { type: "RecordRefund", data: { refundId, intentId, amountPence: data.amountPence } },
    by("provider"),
  );
  await house.sendMails(orderId);
}

async function notFound(scene: Scene): Promise<string> {
  const { house, random } = scene;
  const orderId = await submit(scene);
  house.pass(between(random, 3, 9) * secondsPerDay);
  await house.tell(
    orderId,
    { type: "RecordGROOutcome", data: { attempt: null, outcome: "notFound" } },
    by("provider"),
  );
  const order = await house.tell(orderId, {
    type: "FailOrder",
    data: { cause: "gro", reason: "recordNotFound" },
  });
  const returned = order.variant
    ? returnedWhenNotFoundPence(order.variant.feePerCopy, order.variant.copies)
    : 0;
  await refund(scene, orderId, "recordNotFound", returned);
  return orderId;
}

async function cancelled(scene: Scene): Promise<string> {
  const { house, random } = scene;
  const orderId = await pay(scene);
  house.pass(between(random, 20, 55));
  await cancelOrder(house.desk, orderId, "customerRequest", by("customer", orderId));
  await house.purge(orderId, "application", "cancelled");
  await refund(scene, orderId, "cancelled");
  return orderId;
}

async function expired(scene: Scene): Promise<string> {
  const { house } = scene;
  const orderId = await open(scene);
  house.pass(secondsPerDay);
  await house.tell(orderId, { type: "CancelOrder", data: { reason: "expired", closedIntentId: null } });
  await house.purge(orderId, "application", "neverPaid");
  await house.purge(orderId, "contact", "neverPaid");
  return orderId;
}

async function failedByUs(scene: Scene): Promise<string> {
  const { house } = scene;
  const orderId = await confirm(scene);
  house.pass(2 * secondsPerDay);
  await house.tell(
    orderId,
    { type: "FailOrder", data: { cause: "ours", reason: "serviceError" } },
    byStaff(1),
  );
  await house.purge(orderId, "application", "failed");
  await refund(scene, orderId, "failedByUs");
  return orderId;
}

async function queried(scene: Scene): Promise<string> {
  const { house, random } = scene;
  const orderId = await submit(scene);
  house.pass(between(random, 1, 3) * secondsPerDay);
  await house.tell(
    orderId,
    { type: "RecordGROOutcome", data: { attempt: null, outcome: "queried" } },
    by("provider"),
  );
  await house.sendMails(orderId);
  return orderId;
}

/** The automation service refused it eight times: only a person helps. */
async function stuck(scene: Scene): Promise<string> {
  const { house } = scene;
  const orderId = await confirm(scene);
  for (const pause of [60, 300, 900, 3_600, 7_200, 14_400, 28_800, 60]) {
    const attempt = await attemptOf(scene, orderId);
    await house.tell(orderId, { type: "StartSubmission", data: { attempt, channel: "automation" } });
    house.pass(2);
    await house.tell(orderId, {
      type: "RecordSubmissionFailure",
      data: { attempt, code: "rejected", certain: true },
    });
    house.pass(pause);
  }
  return orderId;
}

async function undeliverable(scene: Scene): Promise<string> {
  const { house } = scene;
  const orderId = await pay(scene);
  const { order } = await requestSubmission(house.desk, orderId, by("customer", orderId));
  house.pass(4);
  const about = order.confirmation.about ?? "";
  await house.tell(orderId, {
    type: "RecordMail",
    data: { template: "confirmation", templateVersion: 1, about, result: "undeliverable" },
  });
  return orderId;
}

/** Somebody here wants to give back more than one person may. */
async function refundToApprove(scene: Scene): Promise<string> {
  const { house, random } = scene;
  const orderId = await fulfil(scene, 3);
  house.pass(between(random, 1, 4) * 3_600);
  const { order } = await house.desk.orders.load(orderId);
  const { intentId, amountPence } = firstPayment(order);
  const data = { intentId, amountPence, reason: "staffDecision", approvalAbovePence: 2_000 } as const;
  await house.tell(orderId, { type: "RequestRefund", data }, byStaff(2));
  return orderId;
}

async function refundFailed(scene: Scene): Promise<string> {
  const { house } = scene;
  const orderId = await fulfil(scene, 4);
  const { order } = await house.desk.orders.load(orderId);
  const { intentId } = firstPayment(order);
  const wanted = { intentId, amountPence: 1_000 };
  for (let failure = 1; failure <= 3; failure++) {
    const data = { ...wanted, reason: "staffDecision", approvalAbovePence: null } as const;
    const asked = await house.tell(orderId, { type: "RequestRefund", data }, byStaff(1));
    const refundId = asked.refunds.at(-1)?.refundId ?? "";
    house.pass(30);
    const refusal = { ...wanted, refundId, code: "expiredOrCancelledCard" } as const;
    await house.tell(orderId, { type: "RecordRefundFailure", data: refusal }, by("provider"));
  }
  return orderId;
}

async function disputed(scene: Scene): Promise<string> {
  const { house } = scene;
  const orderId = await fulfil(scene, 6);
  house.pass(2 * secondsPerDay);
  const { order } = await house.desk.orders.load(orderId);
  const { intentId, amountPence } = firstPayment(order);
  const disputeId = `du_${orderId.slice(0, 8)}`;
  const why = { reason: "productNotReceived", outcome: null } as const;
  await house.tell(
    orderId,
    { type: "RecordDispute", data: { disputeId, intentId, amountPence, ...why } },
    by("provider"),
  );
  return orderId;
}

/** The GRO says that it despatched what was cancelled. */
async function contradiction(scene: Scene): Promise<string> {
  const { house } = scene;
  const orderId = await cancelled(scene);
  house.pass(5 * secondsPerDay);
  const dispatchedAt = house.desk.now().toISOString();
  await house.tell(
    orderId,
    { type: "RecordDispatch", data: { attempt: null, dispatchedAt } },
    by("provider"),
  );
  return orderId;
}

const story = (days: number, tell: Story["tell"]): Story => ({ days, tell });

/** Each story and how often it is told; `age` in days says between when and when it began. */
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
  { story: story(1, cancelled), weight: 5, age: [2, 150] },
  { story: story(3, failedByUs), weight: 2, age: [5, 140] },
  { story: story(11, notFound), weight: 4, age: [12, 160] },
  { story: story(4, refundToApprove), weight: 2, age: [5, 9] },
  { story: story(5, refundFailed), weight: 1, age: [6, 20] },
  { story: story(9, disputed), weight: 1, age: [10, 40] },
  { story: story(6, contradiction), weight: 1, age: [7, 30] },
];
