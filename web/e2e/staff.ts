import type { Page } from "playwright-core";
import { expect } from "vitest";

/** The prepared person of the sandbox's sign-in that the tests use for each role. */
export const people = {
  staff: "Robin Ellis",
  otherStaff: "Sam Okafor",
  manager: "Morgan Hughes",
  otherManager: "Jules Hart",
  compliance: "Casey Lindqvist",
  customer: "Taylor Price",
} as const;

/** Signs the page's browser in as somebody with this role, without the pages around it. Whoever was signed in there before is out. */
export async function signInAs(page: Page, role: keyof typeof people): Promise<void> {
  const username = people[role];
  const response = await page.request.post("/sandbox/identity/sign-in", { data: { username } });
  expect(response.status(), `signing in as ${username}`).toBe(204);
}
