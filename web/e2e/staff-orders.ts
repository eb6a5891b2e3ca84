import type { Browser, Locator, Page } from "playwright-core";
import { z } from "zod";
import type { PlacedOrder } from "./orders-by-api.ts";
import { people, type VisitOptions, visitAs } from "./staff.ts";

/** Helpers for the back office's order page. */

/** Opens an order as a member of staff and runs `run`. */
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

/** A timeline entry containing `words`. */
export const entry = (page: Page, words: string): Locator =>
  page.locator("li[data-revision]").filter({ hasText: words });

/** Opens the dialog of an action. */
export async function openAction(page: Page, name: string): Promise<Locator> {
  await page.getByRole("button", { name, exact: true }).click();
  await dialog(page).waitFor();
  return dialog(page);
}

/** Chooses a reason and confirms. */
export async function confirm(page: Page, label: string, reason = "The customer asked"): Promise<void> {
  await dialog(page).getByLabel("Reason").selectOption({ label: reason });
  await dialog(page).getByRole("button", { name: label, exact: true }).click();
}

/** Waits until the dialog closes, on success. */
export const closed = (page: Page): Promise<void> => dialog(page).waitFor({ state: "hidden" });

/** Sets the amount above which refunds need a second person's approval. */
export async function limitRefundsTo(url: string, refundLimitPence: number): Promise<void> {
  const answered = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(url + path, init);
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const json = { "Content-Type": "application/json" };
  const asked = {
    method: "POST",
    headers: json,
    body: JSON.stringify({ username: people.manager, role: "manager" }),
  };
  const { token } = z.object({ token: z.string() }).parse(await answered("/sandbox/identity/token", asked));
  const headers = { ...json, Authorization: `Bearer ${token}` };
  const settings = z
    .object({ revision: z.number() })
    .parse(await answered("/api/admin/settings", { headers }));
  const body = JSON.stringify({ refundLimitPence, expectedRevision: settings.revision });
  await answered("/api/admin/settings/refund-limit", { method: "POST", headers, body });
}
