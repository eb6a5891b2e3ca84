import type { Browser, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { z } from "zod";
import { newVisitor } from "./browser.ts";
import type { PlacedOrder } from "./orders-by-api.ts";

/** The prepared person of the sandbox's sign-in that the tests use for each role. */
export const people = {
  staff: "Robin Ellis",
  otherStaff: "Sam Okafor",
  manager: "Morgan Hughes",
  otherManager: "Jules Hart",
  compliance: "Casey Lindqvist",
  customer: "Taylor Price",
} as const;

/** Signs the page's browser in with this role, bypassing the sign-in pages. Replaces any previous session. */
export async function signInAs(page: Page, role: keyof typeof people): Promise<void> {
  const username = people[role];
  const response = await page.request.post("/sandbox/identity/sign-in", { data: { username } });
  expect(response.status(), `signing in as ${username}`).toBe(204);
}

export type VisitOptions = {
  readonly width?: number | undefined;
  /** What the page may complain of: refusals are logged by the browser. */
  readonly expected?: RegExp | undefined;
};

/** A browser on a page of the back office, closed after the run. It must report no errors but the expected ones. */
export async function visitAs(
  { browser, url }: { readonly browser: Browser; readonly url: string },
  who: keyof typeof people,
  path: string,
  run: (page: Page) => Promise<void>,
  { width, expected }: VisitOptions = {},
): Promise<void> {
  const { context, page, faults } = await newVisitor(browser, url, width);
  try {
    await signInAs(page, who);
    await page.goto(path);
    await run(page);
    expect(faults.filter((fault) => !expected?.test(fault))).toEqual([]);
  } finally {
    await context.close();
  }
}

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
