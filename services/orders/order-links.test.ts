import { expect, test } from "vitest";
import { paidOrder } from "../../testing/services/paid-order-fixture.ts";
import {
  customer,
  type TestDependencies,
  testDependencies,
} from "../../testing/services/use-case-fixture.ts";
import type { FoundSubject } from "../vault/blind-index.ts";
import { correctContact } from "./correct-contact.ts";
import { ordersToLink, requestOrderLinks } from "./order-links.ts";

const email = "sian.rhys@post.example";
const day = 86_400;

/** An index in which these orders are under every address. */
const finding = (deps: TestDependencies, ...ids: string[]) => {
  const subjects: FoundSubject[] = ids.map((id) => ({ kind: "order", id }));
  return { ...deps, finder: { find: async () => ({ subjects, more: false }) } };
};
const requests = async (deps: TestDependencies, orderId: string) =>
  (await deps.events(orderId)).filter(({ type }) => type === "OrderLinksRequested").length;
const linked = async (deps: Parameters<typeof ordersToLink>[0], address = email) =>
  (await ordersToLink(deps, address)).orders.map(({ orderId }) => orderId);

test("lists the orders of an address, newest first, however it is typed", async () => {
  const deps = testDependencies();
  const first = await paidOrder(deps);
  deps.wait(day);
  const second = await paidOrder(deps);
  expect(await linked(finding(deps, first, second), " Sian.Rhys@POST.example ")).toEqual([second, first]);
});

test("lists no order that is older than a year", async () => {
  const deps = testDependencies();
  const old = await paidOrder(deps);
  deps.wait(364 * day);
  expect(await linked(finding(deps, old))).toEqual([old]);
  deps.wait(2 * day);
  expect(await linked(finding(deps, old))).toEqual([]);
});

test("lists no order whose address was corrected since it was indexed", async () => {
  const deps = testDependencies();
  const orderId = await paidOrder(deps);
  await correctContact(deps, orderId, { email: "another@post.example" }, undefined, customer);
  expect(await linked(finding(deps, orderId))).toEqual([]);
  expect(await linked(finding(deps, orderId), "another@post.example")).toEqual([orderId]);
});

test("lists no order whose contact data was destroyed", async () => {
  const deps = testDependencies();
  const orderId = await paidOrder(deps);
  const records = await deps.vault.recordsOf(orderId, "contact");
  await deps.vault.destroy(records.map(({ recordId }) => recordId));
  const found = finding(deps, orderId);
  expect(await linked(found)).toEqual([]);
  await requestOrderLinks(found, email, "a-request");
  expect(await requests(deps, orderId)).toBe(0);
});

test("says when there are more orders than it lists", async () => {
  const deps = testDependencies();
  const orderId = await paidOrder(deps);
  const found = finding(deps, ...Array.from({ length: 31 }, () => orderId));
  const { orders, more } = await ordersToLink(found, email);
  expect([orders.length, more]).toEqual([30, true]);
});

test("records a request in one order, and no second one within ten minutes", async () => {
  const deps = testDependencies();
  const [one, other] = [await paidOrder(deps), await paidOrder(deps)];
  const found = finding(deps, one, other);
  const counted = async () => [await requests(deps, one), await requests(deps, other)];
  await requestOrderLinks(found, email, "a-request");
  deps.wait(599);
  await requestOrderLinks(found, email, "a-request");
  expect(await counted()).toEqual([1, 0]);
  deps.wait(1);
  await requestOrderLinks(found, email, "a-request");
  expect(await counted()).toEqual([2, 0]);
});

test("records ever fewer of those who ask without a pause, but always another within a week", async () => {
  const deps = testDependencies();
  const orderId = await paidOrder(deps);
  const askForAWeek = async () => {
    for (let n = 0; n < 7 * 144; n++) {
      await requestOrderLinks(finding(deps, orderId), email, "a-request");
      deps.wait(600);
    }
    return requests(deps, orderId);
  };
  expect([await askForAWeek(), await askForAWeek(), await askForAWeek()]).toEqual([10, 11, 12]);
});

test("does not let the owner of a corrected address wait for what went to the earlier one", async () => {
  const deps = testDependencies();
  const orderId = await paidOrder(deps);
  for (let n = 0; n < 144; n++) {
    await requestOrderLinks(finding(deps, orderId), email, "a-request");
    deps.wait(600);
  }
  const before = await requests(deps, orderId);
  await correctContact(deps, orderId, { customerReference: "Case 7" }, undefined, customer);
  await requestOrderLinks(finding(deps, orderId), email, "a-request");
  expect(await requests(deps, orderId)).toBe(before);
  await correctContact(deps, orderId, { email: "another@post.example" }, undefined, customer);
  await requestOrderLinks(finding(deps, orderId), "another@post.example", "a-request");
  expect(await requests(deps, orderId)).toBe(before + 1);
});
