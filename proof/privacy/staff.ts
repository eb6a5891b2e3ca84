import { TestBrowser } from "../../testing/gateway/test-browser.ts";
import type { Recognisable } from "./people.ts";
import type { Site } from "./site.ts";

/** Staff request the erasure of each person, and close their conversations. @returns how many conversations are to go */
export async function erase({ target }: Site, people: readonly Recognisable[]): Promise<number> {
  const staff = new TestBrowser(target.url);
  let authorization = {};
  const post = async (path: string, body: object) => {
    const reply = await staff.post(path, body, authorization);
    if (reply.status >= 400) throw new Error(`${path} was answered with ${reply.status}.`);
    return reply.body;
  };
  await post("/sandbox/identity/sign-in", { username: "Robin Ellis" });
  let closed = 0;
  for (const { bodies } of people) {
    const { token } = await post("/sandbox/identity/session-token", {});
    authorization = { Authorization: `Bearer ${token}` };
    const found = await post("/api/admin/customers/search", { by: "email", typed: bodies.order.email });
    for (const { id } of found.customers) {
      const { tickets } = await post(`/api/admin/customers/${id}/erase`, { reason: "customerAsked" });
      for (const { ticketNumber } of tickets) {
        const ticket = `/api/admin/tickets/${ticketNumber}`;
        const { revision } = await post(`${ticket}/open`, {});
        await post(`${ticket}/status`, { status: "Closed", expectedRevision: revision });
        closed += 1;
      }
    }
  }
  return closed;
}
