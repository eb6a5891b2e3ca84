import { readFileSync } from "node:fs";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, expectNoSidewaysScroll, openBrowser } from "../../testing/browser/browser.ts";
import { type PlacedOrder, placeOrder, placeOrdersTogether } from "../../testing/browser/orders-by-api.ts";
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

/**
 * Staff actions on orders that the GRO does not have, because staff submit all of them: an automation service that
 * refused one would be tried again a minute later, in the midst of a test.
 */

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct({ GRO_SUBMISSION: "by-hand" }), openBrowser()]);
  await limitRefundsTo(product.url, 10_00);
});
afterAll(async () => {
  await browser?.close();
  await product?.dispose();
});

const onOrder = async (
  who: keyof typeof people,
  order: PlacedOrder,
  run: (page: Page) => Promise<void>,
  options: VisitOptions = {},
): Promise<void> =>
  openOrder(
    { browser, url: product.url },
    who,
    order,
    async (page) => {
      await entry(page, "Confirmation sent").waitFor();
      await run(page);
    },
    options,
  );

const unsubmitted = (): Promise<PlacedOrder> => placeOrder(product.url);

describe("An application that the GRO does not have", () => {
  test("is printed, submitted by hand, and destroyed", async () => {
    await onOrder("staff", await unsubmitted(), async (page) => {
      await openAction(page, "Application form (PDF)");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        confirm(page, "Create PDF", "To submit it by hand"),
      ]);
      expect(download.suggestedFilename()).toMatch(/^application-.*\.pdf$/);
      expect(
        readFileSync(await download.path())
          .subarray(0, 5)
          .toString(),
      ).toBe("%PDF-");
      await closed(page);
      await entry(page, "Revealed application data, to submit it by hand").waitFor();

      await openAction(page, "Start manually");
      await confirm(page, "Start manually", "The automation service was down");
      await closed(page);
      await entry(page, "attempt 1, by hand").waitFor();
      const asking = await openAction(page, "Record submission");
      await asking.getByLabel("GRO order reference").fill("COL-4711");
      await expectAccessible(page, "recording a submission");
      await confirm(page, "Record submission", "Seen on the GRO’s website");
      await closed(page);
      await entry(page, "Application data destroyed").waitFor();
      await page.getByText("Receipt", { exact: true }).waitFor();
    });
  });

  test("can be sent again once the GRO says it does not have it", async () => {
    await onOrder("staff", await unsubmitted(), async (page) => {
      await openAction(page, "Start manually");
      await confirm(page, "Start manually");
      await closed(page);
      await openAction(page, "GRO does not have it");
      await confirm(page, "GRO does not have it", "The GRO phoned");
      await closed(page);
      await entry(page, "Attempt 1 failed").waitFor();
      await page.getByRole("button", { name: "Start manually" }).waitFor();
    });
  });

  test("is amended in its form and submitted as amended", async () => {
    await onOrder("staff", await unsubmitted(), async (page) => {
      await page.getByRole("button", { name: "Amend application" }).click();
      await confirm(page, "Open the form", "To correct or amend it");
      const place = page.getByLabel("Place of birth");
      expect(await place.inputValue()).toBe("Aberystwyth");
      await place.fill("Llanfair");
      await expectAccessible(page, "amending an application");
      await page.getByRole("button", { name: "Save Changes…" }).click();
      await confirm(page, "Save changes", "Details were wrong");
      await entry(page, "Application changed before submission").waitFor();
      await openAction(page, "Reveal with a reason… Application");
      await confirm(page, "Reveal");
      await page.getByText("Llanfair").waitFor();
    });
  });

  test("fails through our error, and the payment is refunded", async () => {
    await onOrder("staff", await unsubmitted(), async (page) => {
      const asking = await openAction(page, "Fail order");
      await asking.getByLabel("Who caused it").selectOption({ label: "We did" });
      await asking.getByLabel("Why the order failed").selectOption({ label: "Our error" });
      await expectAccessible(page, "failing an order");
      await confirm(page, "Fail order", "Our mistake");
      await closed(page);
      await entry(page, "Order failed").waitFor();
      await entry(page, "Refund made").waitFor();
    });
  });

  test("gives the focus back to the button of an action, or to the next one when the action is gone", async () => {
    const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
    await onOrder("staff", await unsubmitted(), async (page) => {
      await openAction(page, "Add note");
      await page.keyboard.press("Escape");
      await closed(page);
      expect(await focused(page)).toBe("Add note");
      await openAction(page, "Add note");
      await dialog(page).getByLabel("Note", { exact: true }).fill("She rang.");
      await confirm(page, "Add note");
      await page.getByRole("status").getByText("Add note: done.").waitFor();
      expect(await focused(page)).toBe("Add note");
      await openAction(page, "Start manually");
      await confirm(page, "Start manually");
      await expect.poll(() => focused(page)).toBe("Record submission");
    });
  });

  test("keeps the dialog of an action that is under way until it can say what came of it", async () => {
    await onOrder(
      "staff",
      await unsubmitted(),
      async (page) => {
        let fail = (): void => undefined;
        const held = new Promise<void>((resolve) => {
          fail = resolve;
        });
        await page.route("**/actions/add-note", async (route) => {
          await held;
          await route.abort();
        });
        const asking = await openAction(page, "Add note");
        await asking.getByLabel("Note", { exact: true }).fill("She rang at noon.");
        await confirm(page, "Add note");
        await asking.locator("[aria-disabled=true]").first().waitFor();
        await page.keyboard.press("Escape");
        await asking.getByRole("button", { name: "Cancel" }).dispatchEvent("click");
        fail();
        await asking.getByText("There was no response.").waitFor();
        await page.keyboard.press("Escape");
        await closed(page);
      },
      { expected: /ERR_FAILED|Failed to fetch/ },
    );
  });

  test("records an erasure request", async () => {
    await onOrder("staff", await unsubmitted(), async (page) => {
      await openAction(page, "Erasure request");
      await confirm(page, "Record request");
      await closed(page);
      await entry(page, "Erasure requested").waitFor();
    });
  });
});

describe("Orders of one payment", () => {
  const panel = (page: Page) => page.getByRole("region", { name: "Ordered together" });

  test("name each other with what was paid, at every width, and learn at once what went back", async () => {
    const orders = await placeOrdersTogether(product.url, 3);
    const [first, second, third] = orders;
    if (!first || !second || !third) throw new Error("There are three orders.");
    await onOrder("staff", await unsubmitted(), async (page) => {
      expect(await panel(page).count()).toBe(0);
    });
    for (const width of [320, 768]) {
      const look = async (page: Page): Promise<void> => {
        await panel(page).getByText("£135.00 paid in all").waitFor();
        await expectNoSidewaysScroll(page, `orders of one payment at ${width} px`);
        await expectAccessible(page, `orders of one payment at ${width} px`);
      };
      await onOrder("compliance", second, look, { width });
    }
    await onOrder("staff", first, async (page) => {
      expect(await panel(page).getByRole("listitem").count()).toBe(3);
      expect(await panel(page).getByRole("link", { name: first.orderNumber }).count()).toBe(0);
      await onOrder("otherStaff", third, async (other) => {
        await openAction(other, "Cancel order");
        await confirm(other, "Cancel order");
        await entry(other, "Refund made").waitFor();
      });
      await panel(page).getByText("£135.00 paid in all, £45.00 went back").waitFor();
      const cancelled = panel(page).getByRole("listitem").filter({ hasText: third.orderNumber });
      await cancelled.getByText("Cancelled").waitFor();
      await cancelled.getByText("£45.00 paid, £45.00 went back").waitFor();
      await expectAccessible(page, "orders of one payment, one cancelled");

      await panel(page).getByRole("link", { name: "Show in the list" }).click();
      const rows = page.locator("tr[data-row]");
      await expect.poll(() => rows.count()).toBe(3);
      const numbers = await rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-row")));
      expect(numbers).toEqual(orders.map(({ orderNumber }) => orderNumber));
      await expectAccessible(page, "the list of orders of one payment");
      await rows.getByRole("link", { name: second.orderNumber }).click();
      await panel(page).getByRole("link", { name: first.orderNumber }).click();
      await page.waitForURL(`**/orders/${first.orderNumber}`);
      await page.goBack();
      await page.goBack();
      await page.getByRole("button", { name: "Remove the filter Ordered together" }).click();
      await expect.poll(() => rows.count()).toBeGreaterThan(3);
    });
  });

  test("are assigned a refund made at the provider, by the first who does so", async () => {
    const [first, second, third] = await placeOrdersTogether(product.url, 3);
    if (!first || !second || !third) throw new Error("There are three orders.");
    const share = (asking: Locator, { orderNumber }: PlacedOrder) =>
      asking.getByLabel(`${orderNumber}, Birth, in pounds`);
    await onOrder(
      "staff",
      first,
      async (page) => {
        const intentId = /pi_[0-9a-f]+/.exec(
          await page
            .getByText(/pi_[0-9a-f]+/)
            .first()
            .innerText(),
        )?.[0];
        const response = await fetch(`${product.url}/sandbox/payments/refunds`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ intentId, amount: 6000 }),
        });
        expect(response.status).toBe(200);
        await panel(page).getByText("A refund of £60.00, made at the provider").waitFor();
        await page.getByText("A refund is to be assigned").waitFor();
        for (const width of [320, 768, 1280]) {
          await page.setViewportSize({ width, height: 900 });
          await expectNoSidewaysScroll(page, `a refund to assign at ${width} px`);
          await expectAccessible(page, `a refund to assign at ${width} px`);
        }
        const asking = await openAction(page, "Assign refund…");
        await share(asking, second).fill("45.00");
        await share(asking, third).fill("10");
        for (const width of [320, 768, 1280]) {
          await page.setViewportSize({ width, height: 900 });
          await expectNoSidewaysScroll(page, `assigning a refund at ${width} px`);
          await expectAccessible(page, `assigning a refund at ${width} px`);
        }
        await confirm(page, "Assign refund");
        await asking.getByText("The amounts do not add up to the refund").waitFor();
        await share(asking, third).fill("15");
        await onOrder(
          "otherStaff",
          third,
          async (other) => {
            const theirs = await openAction(other, "Assign refund…");
            await confirm(page, "Assign refund");
            await closed(page);
            await share(theirs, third).fill("60");
            await confirm(other, "Assign refund");
            await theirs.getByRole("alert").waitFor();
          },
          { expected: /409/ },
        );
        await entry(page, "Refund assigned to other orders").waitFor();
        await panel(page).getByText("£135.00 paid in all, £60.00 went back").waitFor();
        expect(await page.getByRole("button", { name: "Assign refund…" }).count()).toBe(0);
        for (const [order, words] of [
          [second, "£45.00 paid, £45.00 went back"],
          [third, "£45.00 paid, £15.00 went back"],
        ] as const) {
          const line = panel(page).getByRole("listitem").filter({ hasText: order.orderNumber });
          await line.getByText(words).waitFor();
        }
      },
      { expected: /409/ },
    );
  });
});

describe("A possible duplicate", () => {
  const fromOneDraft = async (draftId: string): Promise<readonly [PlacedOrder, PlacedOrder]> => {
    const first = await placeOrder(product.url, { draftId });
    return [first, await placeOrder(product.url, { draftId })];
  };
  const sameAs = ({ orderNumber }: PlacedOrder) =>
    `This seems to be the same certificate as in ${orderNumber}`;

  test("is marked on both pages and in the list, at every width, and one click away from a refund", async () => {
    const [first, second] = await fromOneDraft("a-copied-tab");
    for (const width of [320, 768, 1280]) {
      const look = async (page: Page): Promise<void> => {
        await page.getByText(sameAs(second)).waitFor();
        await expectNoSidewaysScroll(page, `a possible duplicate at ${width} px`);
        await expectAccessible(page, `a possible duplicate at ${width} px`);
      };
      await onOrder("staff", first, look, { width });
    }
    await onOrder("staff", second, async (page) => {
      await page.getByText(sameAs(first)).waitFor();
      const asking = await openAction(page, "Cancel and refund this order…");
      expect(await asking.getByLabel("Reason").inputValue()).toBe("orderedTwice");
      await expectAccessible(page, "cancelling a duplicate");
      await page.keyboard.press("Escape");
      await closed(page);
      await page.getByRole("link", { name: "Orders", exact: true }).first().click();
      const marked = page.locator("tr[data-row]").filter({ hasText: "Possible duplicate" });
      await expect.poll(() => marked.count()).toBe(2);
      await expectAccessible(page, "possible duplicates in the list");
      await page.getByRole("link", { name: "Possible duplicates" }).click();
      await page.getByText("Paid in the last 31 days").waitFor();
      await expect.poll(() => page.locator("tr[data-row]").count()).toBe(2);
      await marked.getByRole("link", { name: second.orderNumber }).last().click();
      await page.waitForURL(`**/orders/${second.orderNumber}`);
      await openAction(page, "Cancel and refund this order…");
      await dialog(page).getByRole("button", { name: "Cancel order", exact: true }).click();
      await entry(page, "reason: ordered twice").first().waitFor();
      await entry(page, "Refund made").waitFor();
      await expect.poll(() => page.getByText("Possible duplicate").count()).toBe(0);
    });
    await onOrder("staff", first, async (page) => {
      expect(await page.getByText("Possible duplicate").count()).toBe(0);
    });
  });

  test("shows compliance the other order, and nothing to refund it with", async () => {
    const [first, second] = await fromOneDraft("another-copied-tab");
    await onOrder("compliance", second, async (page) => {
      await page.getByText(sameAs(first)).waitFor();
      expect(await page.getByRole("button", { name: /efund this order/ }).count()).toBe(0);
    });
  });
});

describe("Two people", () => {
  test("at once: the second sees what changed, keeps what was typed, and confirms again", async () => {
    const order = await unsubmitted();
    await onOrder(
      "staff",
      order,
      async (page) => {
        const asking = await openAction(page, "Cancel order");
        await asking.getByLabel("Note").fill("She rang at noon.");
        await onOrder("otherStaff", order, async (other) => {
          const theirs = await openAction(other, "Correct contact");
          await theirs.getByLabel("Email").fill("sian.other@post.example");
          await confirm(other, "Correct contact");
          await closed(other);
          // The last of what follows a correction by itself: each event may cost one more press.
          await entry(other, "Email sent, order confirmation").waitFor();
        });
        await asking.getByText("This order changed while you were viewing it.").waitFor();
        await confirm(page, "Cancel order");
        await asking.getByText("The order has changed since you loaded it.").waitFor();
        expect(await asking.getByLabel("Note").inputValue()).toBe("She rang at noon.");
        await asking.getByText("Contact details corrected").waitFor();
        await expectAccessible(page, "a conflict");
        await asking.getByRole("button", { name: "Cancel order", exact: true }).click();
        await closed(page);
        await entry(page, "Order cancelled").first().waitFor();
        await entry(page, "Note added").waitFor();
      },
      { expected: /409/ },
    );
  });

  test("a reveal by a colleague is no conflict", async () => {
    const order = await unsubmitted();
    await onOrder("staff", order, async (page) => {
      await openAction(page, "Add note");
      await dialog(page).getByLabel("Note", { exact: true }).fill("Nothing to see.");
      await onOrder("manager", order, async (other) => {
        await openAction(other, "Reveal with a reason… Contact");
        await confirm(other, "Reveal");
        await other.getByText("Mrs Siân Rhys").waitFor();
      });
      await entry(page, "Revealed contact data").waitFor();
      await confirm(page, "Add note");
      await closed(page);
      await entry(page, "Note added").waitFor();
    });
  });

  test("approve a refund above the limit: the proposer cannot approve it", async () => {
    const order = await unsubmitted();
    await onOrder("manager", order, async (page) => {
      await openAction(page, "Refund…");
      await confirm(page, "Refund", "Goodwill");
      await closed(page);
      await entry(page, "Refund of £45.00 proposed").waitFor();
      expect(await page.getByRole("button", { name: "Approve proposal" }).count()).toBe(0);
      await page.getByText("actions are not available now").click();
      await page.getByText("you made this proposal: someone else has to decide").waitFor();
    });
    await onOrder("otherManager", order, async (page) => {
      await expectAccessible(page, "a proposal");
      await openAction(page, "Approve proposal");
      await confirm(page, "Approve proposal", "Goodwill");
      await closed(page);
      await entry(page, "Refund made").waitFor();
    });
  });

  test("a proposal is declined", async () => {
    const order = await unsubmitted();
    await onOrder("staff", order, async (page) => {
      await openAction(page, "Refund…");
      await confirm(page, "Refund", "Goodwill");
      await closed(page);
    });
    await onOrder("manager", order, async (page) => {
      await openAction(page, "Decline proposal");
      await confirm(page, "Decline proposal", "Other (explain in the note)");
      await closed(page);
      await entry(page, "Proposed refund declined").waitFor();
    });
  });
});
