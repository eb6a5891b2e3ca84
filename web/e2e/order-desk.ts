import type { Browser, Locator, Page } from "playwright-core";
import type { PlacedOrder } from "./orders-by-api.ts";
import { type people, type VisitOptions, visitAs } from "./staff.ts";

/** The order's page in the back office, as tests work with it. */

/** Opens an order as somebody with a role, and runs. */
export const openOrder = (
  product: { browser: Browser; url: string },
  who: keyof typeof people,
  { orderNumber }: PlacedOrder,
  run: (page: Page) => Promise<void>,
  options: VisitOptions = {},
): Promise<void> =>
  visitAs(
    product,
    who,
    `/accessadmin/orders/${orderNumber}`,
    async (page) => {
      await page.getByRole("heading", { name: "Timeline" }).waitFor();
      await page.getByText("Order placed").waitFor();
      await run(page);
    },
    options,
  );

export const dialog = (page: Page): Locator => page.getByRole("dialog");

/** An entry of the timeline that says something. */
export const entry = (page: Page, words: string): Locator =>
  page.locator("li[data-revision]").filter({ hasText: words });

/** Presses an action's button, and answers its dialog. */
export async function openAction(page: Page, name: string): Promise<Locator> {
  await page.getByRole("button", { name, exact: true }).click();
  await dialog(page).waitFor();
  return dialog(page);
}

/** Says why, and confirms. */
export async function confirm(page: Page, label: string, reason = "The customer asked"): Promise<void> {
  await dialog(page).getByLabel("Reason").selectOption({ label: reason });
  await dialog(page).getByRole("button", { name: label, exact: true }).click();
}

/** Waits until the dialog is gone: it was done. */
export const closed = (page: Page): Promise<void> => dialog(page).waitFor({ state: "hidden" });
