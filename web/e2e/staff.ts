import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { newVisitor } from "./browser.ts";

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
  readonly dark?: boolean;
  /** What the page may complain of: refusals are logged by the browser. */
  readonly expected?: RegExp | undefined;
};

/** A browser on a page of the back office, closed after the run. It must report no errors but the expected ones. */
export async function visitAs(
  { browser, url }: { readonly browser: Browser; readonly url: string },
  who: keyof typeof people,
  path: string,
  run: (page: Page) => Promise<void>,
  { width, dark = false, expected }: VisitOptions = {},
): Promise<void> {
  const { context, page, faults } = await newVisitor(browser, url, width);
  try {
    await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
    await signInAs(page, who);
    await page.goto(path);
    await run(page);
    expect(faults.filter((fault) => !expected?.test(fault))).toEqual([]);
  } finally {
    await context.close();
  }
}
