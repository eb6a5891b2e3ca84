import { expect, test } from "vitest";
import { disputeOutcome } from "../../domain/order/vocabulary.ts";
import { savedAnswers } from "../../domain/saved-draft/sealed-records.ts";
import { draftBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { execute, recordPurge } from "../../testing/services/paid-order-fixture.ts";
import { givenSettings } from "../../testing/services/settings-fixture.ts";
import { testSettings } from "../../testing/services/task-fixture.ts";
import { staff } from "../../testing/services/ticket-fixture.ts";
import {
  customer,
  pricedOrder,
  type TestDependencies,
  testDependencies,
} from "../../testing/services/use-case-fixture.ts";
import { correctContact } from "../orders/correct-contact.ts";
import { saveDraft } from "../orders/drafts/save-draft.ts";
import { createOrderHistory } from "../orders/orders.ts";
import { gatherSubjectAccess, presentSubjectAccess } from "./subject-access.ts";
import { subjectAccessDocument } from "./subject-access-document.ts";

const address = {
  Address1: "2 Stryd Fawr",
  Address2: "",
  Town: "Bangor",
  County: "Gwynedd",
  Country: "United Kingdom",
  PostCode: "LL57 1AA",
};

/** All that is held of one order. */
async function accessTo(deps: TestDependencies, orderId: string) {
  const orderHistory = createOrderHistory({ readStream: () => deps.events(orderId) });
  const { order } = await deps.orders.load(orderId);
  const held = { customerId: deps.newId(), orders: [order], tickets: [], drafts: [], more: false };
  const access = await gatherSubjectAccess({ deps, orderHistory }, held, staff);
  const now = deps.now().toISOString();
  return { access, made: { now, retention: testSettings, controller: givenSettings.company } };
}

/** Both files of it for the customer. */
async function filesOf(deps: TestDependencies, orderId: string) {
  const { access, made } = await accessTo(deps, orderId);
  return { json: presentSubjectAccess(access, made), pdf: subjectAccessDocument(access, made) };
}

test("the files name recipient and reference as corrected last, and neither once they are taken away", async () => {
  const deps = testDependencies();
  const orderId = await pricedOrder(deps);
  const recipient = { fullName: "Mair Evans", address };
  const change = { recipient, customerReference: "SMITH/42" };
  await correctContact(deps, orderId, change, undefined, customer);
  const { json, pdf } = await filesOf(deps, orderId);
  expect(json.orders[0]?.contact).toMatchObject({
    certificatePostedTo: {
      name: "Mair Evans",
      address: { line1: "2 Stryd Fawr", town: "Bangor", postcode: "LL57 1AA" },
    },
    yourReference: "SMITH/42",
  });
  const facts = pdf.sections.flatMap((section) =>
    (section.facts ?? []).map(({ name, value }) => [section.heading.replace(/^.*: /, ""), name, value]),
  );
  expect(facts).toContainEqual(["Applicant", "Your reference", "SMITH/42"]);
  expect(facts).toContainEqual(["Post the certificate to", "Full name", "Mair Evans"]);
  expect(facts).toContainEqual([
    "Post the certificate to",
    "Postal address",
    "2 Stryd Fawr\nBangor\nGwynedd\nLL57 1AA\nUnited Kingdom",
  ]);

  await correctContact(deps, orderId, { recipient: null, customerReference: "" }, undefined, customer);
  const after = await filesOf(deps, orderId);
  expect(after.json.orders[0]?.contact).toMatchObject({ name: "Mrs Siân Rhys" });
  expect(JSON.stringify(after)).not.toMatch(/Mair|Stryd|SMITH|certificatePostedTo|yourReference/);
});

test("the file says in words what became of refunds and disputes", async () => {
  const deps = testDependencies();
  const { access, made } = await accessTo(deps, await pricedOrder(deps));
  const refund = {
    refundId: null,
    providerRefundId: null,
    intentId: "pi_1",
    amountPence: 9000,
    reason: null,
    proposal: null,
    way: "card",
    at: made.now,
  } as const;
  const dispute = {
    disputeId: "dp_1",
    intentId: "pi_1",
    amountPence: 9000,
    reason: "other",
    toldBy: null,
    openedAt: made.now,
  } as const;
  const refunds = (["issued", "pending", "failed"] as const).map((status) => ({ ...refund, status }));
  const disputes = [null, ...disputeOutcome.options].map((outcome) => ({ ...dispute, outcome }));
  const orders = access.orders.map((account) => ({
    ...account,
    order: { ...account.order, refunds, disputes },
  }));
  const payments = subjectAccessDocument({ ...access, orders }, made).sections.find(({ heading }) =>
    heading.endsWith(": payments"),
  );
  expect(payments?.facts?.map(({ value }) => value)).toEqual([
    "refund of £90.00: made",
    "refund of £90.00: in progress",
    "refund of £90.00: failed",
    "£90.00 disputed at your bank: still open",
    "£90.00 disputed at your bank: decided in our favour",
    "£90.00 disputed at your bank: decided in your favour",
    "£90.00 disputed at your bank: inquiry closed, no money taken",
  ]);
});

test("the file names the answers of each certificate of an unfinished order", async () => {
  const deps = testDependencies();
  const { email, key, draft } = draftBody();
  const saved = await saveDraft(deps, { email, key, draft: savedAnswers.parse(draft) }, "a-request");
  const held = { customerId: deps.newId(), orders: [], tickets: [], drafts: [saved], more: false };
  const orderHistory = createOrderHistory({ readStream: async () => [] });
  const access = await gatherSubjectAccess({ deps, orderHistory }, held, staff);
  const now = deps.now().toISOString();
  const made = { now, retention: testSettings, controller: givenSettings.company };
  const facts = subjectAccessDocument(access, made).sections.flatMap((section) => section.facts ?? []);
  expect(facts).toContainEqual({ name: "Certificate type", value: "Birth" });
  expect(facts).toContainEqual({ name: "Others, 1, certificate type", value: "Death" });
  expect(facts).toContainEqual({ name: "Others, 1, death, occupation", value: "Schoolteacher" });
});

test("the files hold neither once the contact data was erased, nor does the vault", async () => {
  const deps = testDependencies();
  const orderId = await pricedOrder(deps);
  const change = { recipient: { fullName: "Mair Evans", address }, customerReference: "SMITH/42" };
  await correctContact(deps, orderId, change, undefined, customer);
  await execute(deps, orderId, { type: "CancelOrder", data: { reason: "expired", closedIntentId: null } });
  const records = await deps.vault.recordsOf(orderId, "contact");
  await deps.vault.destroy(records.map(({ recordId }) => recordId));
  await recordPurge(deps, orderId, "contact", customer);
  const files = await filesOf(deps, orderId);
  expect(files.json.orders[0]?.contact).toBeNull();
  expect(JSON.stringify([files, ...deps.vault.records.values()])).not.toMatch(/Mair|Stryd|SMITH/);
});
