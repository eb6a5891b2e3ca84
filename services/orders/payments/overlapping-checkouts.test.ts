import fc from "fast-check";
import { expect, it } from "vitest";
import { Refused } from "../../../domain/decider.ts";
import { isUnpaid } from "../../../domain/order/phases.ts";
import type { Order } from "../../../domain/order/state.ts";
import {
  customer,
  pricedOrder,
  type TestDependencies,
  testDependencies,
} from "../../../testing/services/use-case-fixture.ts";
import { cancelOrder } from "../cancel-order.ts";
import type { OrderDependencies } from "../dependencies.ts";
import { openCheckout, submitCheckout } from "./checkout-requests.ts";
import { takePaymentNotice } from "./payment-webhook.ts";
import { PaymentNotReceived, PaymentProcessing } from "./provider-reports.ts";
import { requestCheckoutPayment, requestPayment } from "./request-payment.ts";

/** Of three orders, those of each checkout. */
const checkoutsOf = [
  [0, 1],
  [1, 2],
  [2, 0],
  [0, 1, 2],
];
const pricePence = 4500;

type Scene = {
  readonly deps: TestDependencies;
  /** Two on one log. */
  readonly processes: readonly OrderDependencies[];
  readonly orderIds: readonly string[];
  readonly checkoutIds: readonly string[];
  /** Client secrets that a customer has got. */
  readonly secrets: Set<string>;
};

/** In which each call to the provider, and each command on an order, waits until the scheduler lets it go on. */
async function scene(scheduler: fc.Scheduler, closes: boolean): Promise<Scene> {
  const deps = testDependencies();
  const orderIds = [await pricedOrder(deps), await pricedOrder(deps), await pricedOrder(deps)];
  const checkoutIds: string[] = [];
  for (const places of checkoutsOf) {
    const ids = places.map((place) => orderIds[place] ?? "");
    checkoutIds.push((await openCheckout(deps, ids, undefined, customer)).checkout.checkoutId);
  }
  const { payments } = deps;
  const { cancelIntent, retrieveIntent } = payments;
  const leaveOpen: typeof cancelIntent = async (id) => ({
    ...(await retrieveIntent(id)),
    status: "cancelled",
  });
  payments.cancelIntent = scheduler.scheduleFunction(closes ? cancelIntent : leaveOpen);
  payments.createIntent = scheduler.scheduleFunction(payments.createIntent);
  payments.retrieveIntent = scheduler.scheduleFunction(retrieveIntent);
  const processes = [deps.elsewhere(), deps.elsewhere()];
  for (const { orders } of processes) orders.execute = scheduler.scheduleFunction(orders.execute);
  return { deps, processes, orderIds, checkoutIds, secrets: new Set() };
}

const noticeOf = (deps: OrderDependencies, intentId: string) =>
  takePaymentNotice(
    deps,
    { eventId: deps.newId(), kind: "intent", intentId, outcome: "succeeded" },
    { actor: { kind: "provider", id: "payments" }, correlationId: "a-notice" },
  );

const handedOut = ({ deps, secrets }: Scene) =>
  [...deps.payments.intents.values()].filter(({ clientSecret }) => secrets.has(clientSecret));

async function checkoutAt({ checkoutIds }: Scene, { checkouts }: OrderDependencies, place: number) {
  const checkout = await checkouts.find(checkoutIds[place] ?? "");
  if (!checkout) throw new Error("Each of them was opened.");
  return checkout;
}

/** What a customer can do, all of it at once; `place` chooses the order, checkout or intent. */
const acts = {
  async askTogether(scene: Scene, deps: OrderDependencies, place: number) {
    const checkout = await checkoutAt(scene, deps, place % checkoutsOf.length);
    const all = await Promise.all(checkout.orderIds.map((orderId) => deps.orders.load(orderId)));
    const sum = all.filter(({ order }) => isUnpaid(order.phase)).length * pricePence;
    const { clientSecret } = await requestCheckoutPayment(deps, checkout, sum, customer);
    scene.secrets.add(clientSecret);
  },
  async askAlone({ orderIds, secrets }: Scene, deps: OrderDependencies, place: number) {
    const orderId = orderIds[place % orderIds.length] ?? "";
    secrets.add((await requestPayment(deps, orderId, pricePence, customer)).clientSecret);
  },
  async cancel({ orderIds }: Scene, deps: OrderDependencies, place: number) {
    await cancelOrder(deps, orderIds[place % orderIds.length] ?? "", "customerRequest", customer);
  },
  async pay(scene: Scene, deps: OrderDependencies, place: number) {
    const intents = handedOut(scene);
    const intent = intents[place % Math.max(1, intents.length)];
    if (intent?.status !== "unpaid") return;
    scene.deps.payments.change(intent.id, { status: "succeeded" });
    await noticeOf(deps, intent.id);
  },
  async reportPaid(scene: Scene, deps: OrderDependencies, place: number) {
    await submitCheckout(deps, await checkoutAt(scene, deps, place % checkoutsOf.length), customer);
  },
};

const act = fc.record(
  {
    name: fc.constantFrom("askTogether", "askTogether", "askAlone", "cancel", "pay", "pay", "reportPaid"),
    place: fc.nat({ max: 11 }),
    process: fc.nat({ max: 1 }),
  } as const,
  { noNullPrototype: true },
);
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

function unlessAnswer(error: unknown): void {
  const answers = [Refused, PaymentNotReceived, PaymentProcessing];
  if (!answers.some((answer) => error instanceof answer)) throw error;
}

/** Does all of it at once. @returns what is wrong then */
async function faultsAfter(
  scheduler: fc.Scheduler,
  chosen: readonly Act[],
  { closes }: { closes: boolean },
): Promise<string[]> {
  const all = await scene(scheduler, closes);
  const { deps, processes, orderIds } = all;
  const done = chosen.map(async ({ name, place, process }) => {
    await scheduler.schedule(Promise.resolve());
    await acts[name](all, processes[process] ?? deps, place).catch(unlessAnswer);
  });
  await scheduler.waitFor(Promise.all(done));
  const intents = handedOut(all);
  const paid = intents.filter(({ status }) => status === "succeeded");
  // The provider repeats its notices.
  for (const { id } of paid) await scheduler.waitFor(noticeOf(deps, id));
  const loaded = await Promise.all(orderIds.map((orderId) => deps.orders.load(orderId)));
  const orders = loaded.map(({ order }) => order);
  const open = intents.filter(({ status }) => status === "unpaid");
  return [
    ...open.filter((intent) => !isAskedFor(intent, orders)).map(({ id }) => `${id} can still be paid`),
    ...orders.filter(keepsTooMuch).map(({ orderId }) => `${orderId} keeps too much`),
    ...(sumOf(paid) === sumOf(orders.flatMap(({ payments }) => payments)) ? [] : ["money is lost"]),
  ];
}

type Sum = { readonly amountPence: number };
const sumOf = (sums: readonly Sum[]): number => sums.reduce((sum, { amountPence }) => sum + amountPence, 0);

/** By unpaid orders, to the penny. */
function isAskedFor({ id, amountPence }: Sum & { readonly id: string }, orders: readonly Order[]): boolean {
  const asking = orders.filter(({ phase, intents }) => isUnpaid(phase) && intents.open?.intentId === id);
  return asking.length * pricePence === amountPence;
}

/** What was due came twice, or what was not due does not go back. */
function keepsTooMuch({ payments, refunds }: Order): boolean {
  const unexpected = payments.filter((payment) => payment.unexpected);
  const isKept = ({ intentId, amountPence }: (typeof payments)[number]) =>
    !refunds.some((refund) => refund.intentId === intentId && refund.amountPence === amountPence);
  return payments.length - unexpected.length > 1 || unexpected.some(isKept);
}

const property = (switches: { closes: boolean }) =>
  fc.asyncProperty(
    fc.scheduler(),
    fc.array(act, { minLength: 4, maxLength: 12, size: "max" }),
    async (scheduler, chosen) => {
      expect(await faultsAfter(scheduler, chosen, switches)).toEqual([]);
    },
  );
const runs = { numRuns: 150 };

it("orders in several checkouts are paid for once, whatever is asked for, paid and cancelled at the same time", () =>
  fc.assert(property({ closes: true }), runs));

it("and would not be, were intents left open (control)", async () => {
  const { failed, errorInstance } = await fc.check(property({ closes: false }), {
    ...runs,
    endOnFailure: true,
  });
  expect(failed).toBe(true);
  expect(String(errorInstance)).toContain("AssertionError");
});
