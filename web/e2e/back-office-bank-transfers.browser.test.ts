import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, openBrowser } from "../../testing/browser/browser.ts";
import {
  mailsTo,
  type PlacedOrder,
  placeOrder,
  untilHistorySays,
} from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import {
  closed,
  confirm,
  dialog,
  entry,
  limitRefundsTo,
  openAction,
  openOrder,
  type people,
  type VisitOptions,
} from "../../testing/browser/staff.ts";
import { orderBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";

/**
 * A refund that the card rejects, and a dispute that the provider leaves open, as staff and customers see them. Staff
 * submit, so that no automatic attempt comes between a test's steps.
 */

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct({ GRO_SUBMISSION: "by-hand" }), openBrowser()]);
  await post("/sandbox/stripe/behaviour", { refunds: "fail" });
});
afterAll(async () => {
  await browser?.close();
  await product?.dispose();
});

async function post(path: string, body: object): Promise<unknown> {
  const response = await fetch(product.url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

const onOrder = (
  who: keyof typeof people,
  order: PlacedOrder,
  run: (page: Page) => Promise<void>,
  options: VisitOptions = {},
): Promise<void> => openOrder({ browser, url: product.url }, who, order, run, options);

/** An order whose refund of £45 failed. */
async function refundFailed(): Promise<PlacedOrder> {
  const order = await placeOrder(product.url);
  await onOrder("staff", order, async (page) => {
    await entry(page, "Confirmation sent").waitFor();
    await openAction(page, "Refund…");
    await confirm(page, "Refund", "Goodwill");
    await closed(page);
    await entry(page, "Refund failed").waitFor();
  });
  return order;
}

const transfer = "Refund by bank transfer…";

async function record(page: Page, amount?: string): Promise<void> {
  const asking = await openAction(page, transfer);
  if (amount !== undefined) await asking.getByLabel("Amount in pounds").fill(amount);
  await asking.getByLabel("Transfer reference").fill("KC-4711 REFUND");
  await confirm(page, "Record transfer", "The customer asked");
}

describe("A refund that the card rejects", () => {
  test("goes by bank transfer: the reference is sealed, and the customer is emailed", async () => {
    const order = await refundFailed();
    await onOrder("staff", order, async (page) => {
      await page.getByText("A card refund failed").first().waitFor();
      const asking = await openAction(page, transfer);
      expect(await asking.getByLabel("Amount in pounds").inputValue()).toBe("45.00");
      await expectAccessible(page, "a bank transfer");
      await asking.getByRole("button", { name: "Cancel", exact: true }).click();
      await closed(page);
      await record(page);
      await closed(page);
      await entry(page, "Bank transfer recorded").waitFor();
      await page.getByText("Bank transfer 1: £45.00").waitFor();
      expect(await page.getByRole("button", { name: transfer }).count()).toBe(0);
      expect(await page.getByText("KC-4711").count()).toBe(0);
      await openAction(page, "Reveal with a reason… Contact");
      await confirm(page, "Reveal");
      await page.getByText("KC-4711 REFUND").waitFor();
    });
    await untilHistorySays(product.url, order, "We refunded £45.00 by bank transfer");
    await expect
      .poll(async () => (await mailsTo(product.url, orderBody().email)).map(({ text }) => text).join(), soon)
      .toContain(
        "Your card did not accept the refund, so we are sending it to your bank account by bank transfer.",
      );
  });

  test("is recorded once by two people at once, and owed again once the transfer is returned", async () => {
    const order = await refundFailed();
    await onOrder(
      "staff",
      order,
      async (page) => {
        await openAction(page, transfer);
        await onOrder("otherStaff", order, async (other) => {
          await record(other);
          await closed(other);
        });
        const asking = dialog(page);
        await asking.getByText("This order changed while you were viewing it.").waitFor();
        await asking.getByLabel("Transfer reference").fill("KC-4712");
        await confirm(page, "Record transfer");
        await asking.getByText("The order has changed since you loaded it.").waitFor();
        // Any other change to the order also needs another press.
        const again = async (): Promise<string> => {
          await asking.getByRole("button", { name: "Record transfer", exact: true }).click();
          return asking.getByText(/order has changed since you loaded it|more than what is left/).innerText();
        };
        await expect
          .poll(again, { ...soon, interval: 1_000 })
          .toContain("more than what is left of the payment");
        await asking.getByRole("button", { name: "Cancel", exact: true }).click();
        await openAction(page, "Transfer returned");
        await expectAccessible(page, "a returned transfer");
        await confirm(page, "Transfer returned");
        await closed(page);
        await entry(page, "Bank transfer 1 returned").waitFor();
        await page.getByRole("button", { name: transfer }).waitFor();
      },
      { expected: /409/ },
    );
  });
});

describe("A dispute that the provider leaves open", () => {
  test("is closed by staff, and refunds continue", async () => {
    const order = await placeOrder(product.url);
    await onOrder("staff", order, async (page) => {
      await entry(page, "Confirmation sent").waitFor();
      const intentId =
        (
          await page
            .getByText(/pi_[0-9a-f]+/)
            .first()
            .innerText()
        ).match(/pi_[0-9a-f]+/)?.[0] ?? "";
      await post("/sandbox/payments/disputes", { intentId, reason: "general" });
      await entry(page, "Dispute over £45.00 opened").waitFor();
      const asking = await openAction(page, "Close dispute");
      await asking.getByLabel("Outcome").selectOption({ label: "Won: we keep the payment" });
      await expectAccessible(page, "closing a dispute");
      await confirm(page, "Close dispute", "Other (explain in the note)");
      await closed(page);
      await entry(page, "Dispute closed").waitFor();
      await page.getByRole("button", { name: "Refund…" }).waitFor();
    });
  });

  test("is read-only for compliance", async () => {
    const order = await refundFailed();
    await onOrder("compliance", order, async (page) => {
      await page.getByText("Your role can view orders but not change them.").waitFor();
      expect(await page.getByRole("button", { name: transfer }).count()).toBe(0);
    });
  });
});

// Last, because the limit stays in place.
describe("A bank transfer above the limit", () => {
  test("needs a second person's approval", async () => {
    const order = await refundFailed();
    await limitRefundsTo(product.url, 10_00);
    await onOrder("manager", order, async (page) => {
      await record(page);
      await closed(page);
      await entry(page, "Bank transfer of £45.00 proposed").waitFor();
      expect(await page.getByRole("button", { name: "Approve proposal" }).count()).toBe(0);
    });
    await onOrder("otherManager", order, async (page) => {
      const asking = await openAction(page, "Approve proposal");
      expect(await asking.getByLabel("Proposal").innerText()).toContain(
        "£45.00 by bank transfer, proposed by",
      );
      await confirm(page, "Approve proposal", "Goodwill");
      await closed(page);
      await entry(page, "Bank transfer recorded").waitFor();
    });
  });
});
