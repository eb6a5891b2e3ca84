import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, expectNoSidewaysScroll, openBrowser } from "../../testing/browser/browser.ts";
import {
  groSays,
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
  openAction,
  openOrder,
  type people,
  type VisitOptions,
  visitAs,
} from "../../testing/browser/staff.ts";
import { fillBirth } from "../../testing/browser/wizard.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await product?.dispose();
});

const submitted = async (): Promise<PlacedOrder> => {
  const order = await placeOrder(product.url);
  await untilHistorySays(product.url, order, "deleted");
  return order;
};

const onOrder = (
  who: keyof typeof people,
  order: PlacedOrder,
  run: (page: Page) => Promise<void>,
  options: VisitOptions = {},
): Promise<void> => openOrder({ browser, url: product.url }, who, order, run, options);

describe("The order's page", () => {
  test("shows the timeline and is accessible at every width", async () => {
    const order = await submitted();
    for (const width of [320, 768, 1280]) {
      await onOrder(
        "staff",
        order,
        async (page) => {
          await expectNoSidewaysScroll(page, `the order at ${width} px`);
          await expectAccessible(page, `the order at ${width} px`);
          await page.getByText("Details of event").first().click();
          await page.getByRole("region", { name: /^Raw event/ }).waitFor();
          await expectNoSidewaysScroll(page, `a raw event at ${width} px`);
          await expectAccessible(page, `a raw event at ${width} px`);
        },
        { width },
      );
    }
  });

  test("steps to any event by keyboard and back to the current state", async () => {
    const order = await submitted();
    await onOrder("staff", order, async (page) => {
      const scrubber = page.getByRole("slider", { name: "As of" });
      await scrubber.focus();
      await page.keyboard.press("Home");
      await page.getByRole("heading", { name: "Earlier state" }).waitFor();
      await page.getByText("Opened", { exact: true }).first().waitFor();
      expect(await scrubber.getAttribute("aria-valuetext")).toMatch(/^After event 1 of \d+: Order placed/);
      expect(await entry(page, "Accepted by the GRO").count()).toBe(0);
      expect(await page.getByRole("button", { name: "Add note" }).count()).toBe(0);
      await page.keyboard.press("ArrowRight");
      await page.getByText("Priced", { exact: true }).first().waitFor();
      await expectAccessible(page, "the order as it was");
      await page.keyboard.press("End");
      await page.getByRole("heading", { name: "State", exact: true }).waitFor();
      await page.keyboard.press("ArrowLeft");
      await page.getByRole("button", { name: "Return to the current state" }).click();
      await page.getByRole("button", { name: "Add note" }).waitFor();
      await page.getByRole("heading", { level: 1 }).focus();
      await page.keyboard.press("j");
      await page.getByRole("heading", { name: "Earlier state" }).waitFor();
      await page.keyboard.press("k");
      await page.getByRole("heading", { name: "State", exact: true }).waitFor();
    });
  });

  test("reveals personal data and notes with a reason, and hides them on leaving", async () => {
    const order = await submitted();
    await onOrder("staff", order, async (page) => {
      expect(await page.getByText("Siân").count()).toBe(0);
      await openAction(page, "Add note");
      await dialog(page).getByLabel("Note", { exact: true }).fill("Rings after six.");
      await confirm(page, "Add note");
      await closed(page);
      await entry(page, "Note added").waitFor();
      await openAction(page, "Reveal with a reason… Contact");
      await expectAccessible(page, "the question why");
      await confirm(page, "Reveal", "To answer a complaint");
      await page.getByText("Mrs Siân Rhys").waitFor();
      await page.getByText("Rings after six.").waitFor();
      await entry(page, "Revealed contact data").waitFor();
      await expectAccessible(page, "revealed contact data");
      await page.getByRole("button", { name: "Hide Contact" }).click();
      expect(await page.getByText("Mrs Siân Rhys").count()).toBe(0);
      await openAction(page, "Reveal with a reason… Contact");
      await confirm(page, "Reveal");
      await page.getByText("Mrs Siân Rhys").waitFor();
      await page.reload();
      await page.getByText("Order placed").waitFor();
      expect(await page.getByText("Mrs Siân Rhys").count()).toBe(0);
    });
  });

  test("shows a receipt for destroyed data", async () => {
    const order = await submitted();
    await onOrder("staff", order, async (page) => {
      await page.getByText("Receipt", { exact: true }).click();
      await page.getByText("we tried to read it back, and nothing could be opened").waitFor();
      expect(await page.getByRole("button", { name: "Application form (PDF)" }).count()).toBe(0);
      await expectAccessible(page, "the receipt");
    });
  });

  test("is read-only for compliance", async () => {
    const order = await submitted();
    await onOrder("compliance", order, async (page) => {
      await page.getByText("Your role can view orders but not change them.").waitFor();
      expect(await page.getByRole("button", { name: /Reveal/ }).count()).toBe(0);
      await expectAccessible(page, "the order for compliance");
    });
  });

  test("says when an order does not exist", async () => {
    const none = "/accessadmin/orders/0000-0000-00000";
    await visitAs(
      { browser, url: product.url },
      "staff",
      none,
      async (page) => {
        await page.getByText("There is no order with this number.").waitFor();
        await expectAccessible(page, "an order that is none");
      },
      { expected: /404/ },
    );
  });
});

describe("Staff actions", () => {
  test("answer the GRO's question by entering the application again; unavailable actions say why", async () => {
    const order = await submitted();
    await groSays(product.url, order.orderNumber, "queried");
    await onOrder("staff", order, async (page) => {
      await page.getByText("actions are not available now").click();
      await page.getByText("Cancel order: the GRO has the application.").waitFor();
      await page.getByRole("button", { name: "Answer the GRO" }).click();
      await confirm(page, "Open the form", "The GRO has a question");
      await fillBirth(page, "Send Answer…");
      await confirm(page, "Send answer", "The GRO wrote");
      await entry(page, "Application entered again").waitFor();
      await entry(page, "Accepted by the GRO, attempt 2").waitFor();
    });
  });

  test("record the GRO's question with its text, which is revealed with a reason until it is answered", async () => {
    const order = await submitted();
    await onOrder("staff", order, async (page) => {
      const asking = await openAction(page, "Record GRO’s answer");
      expect(await asking.getByLabel("What the GRO asks").count()).toBe(0);
      await asking.getByLabel("GRO’s answer").selectOption({ label: "Question about the application" });
      await asking.getByLabel("What the GRO asks").fill("Which Bangor?\nIn 1962?");
      await expectAccessible(page, "recording a question");
      await confirm(page, "Record answer", "The GRO wrote");
      await closed(page);
      await entry(page, "its text is sealed").waitFor();
      await page.getByRole("button", { name: "Reveal with a reason… Question from the GRO" }).click();
      await confirm(page, "Reveal", "The GRO has a question");
      await page.getByText("Which Bangor?\nIn 1962?").waitFor();
      await expectAccessible(page, "a question revealed");
      await entry(page, "Revealed the text of the GRO’s question").waitFor();
      await page.getByRole("button", { name: "Answer the GRO" }).click();
      await confirm(page, "Open the form", "The GRO has a question");
      await fillBirth(page, "Send Answer…");
      await confirm(page, "Send answer", "The GRO wrote");
      await entry(page, "Text of the GRO’s question destroyed").waitFor();
      await page.getByRole("heading", { name: "Question from the GRO" }).waitFor({ state: "detached" });
    });
  });

  test("mark a certificate despatched", async () => {
    const order = await submitted();
    await onOrder("staff", order, async (page) => {
      await openAction(page, "Mark despatched");
      await expectAccessible(page, "marking despatched");
      await confirm(page, "Mark despatched", "Seen on the GRO’s website");
      await closed(page);
      await entry(page, "Certificate despatched").waitFor();
      await entry(page, "Order fulfilled").waitFor();
      await entry(page, "reason: seen on the GRO’s website").waitFor();
    });
  });

  test("record the GRO's answer", async () => {
    const order = await submitted();
    await onOrder("staff", order, async (page) => {
      const asking = await openAction(page, "Record GRO’s answer");
      await asking.getByLabel("GRO’s answer").selectOption({ label: "Record not found" });
      await confirm(page, "Record answer", "The GRO wrote");
      await closed(page);
      await entry(page, "GRO did not find the record").first().waitFor();
      await entry(page, "Order failed").waitFor();
      await entry(page, "Refund requested").waitFor();
    });
  });

  test("correct only the contact details that were entered", async () => {
    const order = await submitted();
    await onOrder("staff", order, async (page) => {
      const asking = await openAction(page, "Correct contact");
      await asking.getByLabel("Email").fill("sian.new@post.example");
      await expectAccessible(page, "correcting contact details");
      await confirm(page, "Correct contact");
      await closed(page);
      await openAction(page, "Reveal with a reason… Contact");
      await confirm(page, "Reveal");
      await page.getByText("sian.new@post.example").waitFor();
      await page.getByText("Mrs Siân Rhys").waitFor();
    });
  });

  test("make a partial refund once, even if the button is pressed twice", async () => {
    const order = await submitted();
    await onOrder("staff", order, async (page) => {
      const asking = await openAction(page, "Refund…");
      await asking.getByLabel("Amount in pounds").fill("12.50");
      await asking.getByLabel("Reason").selectOption({ label: "Goodwill" });
      await asking.getByRole("button", { name: "Refund", exact: true }).dblclick();
      await closed(page);
      await entry(page, "Refund made").waitFor();
      expect(await entry(page, "Refund requested").count()).toBe(1);
      await page.getByText("Refund 1:").waitFor();
    });
  });

  test("see a refusal in the dialog and keep what was typed", async () => {
    const order = await submitted();
    await onOrder(
      "staff",
      order,
      async (page) => {
        const asking = await openAction(page, "Refund…");
        await asking.getByLabel("Amount in pounds").fill("99.00");
        await asking.getByLabel("Note").fill("All of it and more.");
        await confirm(page, "Refund", "Goodwill");
        await asking.getByText("the refund is more than what is left of the payment").waitFor();
        expect(await asking.getByLabel("Amount in pounds").inputValue()).toBe("99.00");
        expect(await asking.getByLabel("Note").inputValue()).toBe("All of it and more.");
        await expectAccessible(page, "a refusal");
      },
      { expected: /409/ },
    );
  });
});
