import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { showMe, signOutHere } from "../../contract/identity/me.ts";
import { submitOrder } from "../../contract/orders/ordering.ts";
import { lookUpOrder } from "../../contract/orders/tracking.ts";
import { listTickets } from "../../contract/tickets/ticket.ts";
import { memoryStorage } from "../../testing/pages/memory-storage.ts";
import { call, nameIn, send, sendUntilFresh } from "./send.ts";

const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  fetched.mockReset().mockImplementation(async () => Response.json({ ok: true }));
  vi.stubGlobal("fetch", fetched);
  vi.stubGlobal("sessionStorage", memoryStorage());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const sent = () => {
  const [url, { method, body } = {}] = fetched.mock.calls[0] ?? [];
  return [method, url, body];
};

test("a path is filled with what it names, and nothing in it leads elsewhere", async () => {
  await call(submitOrder, { params: { id: "../me?x" } });
  expect(sent()).toEqual(["POST", "/api/orders/..%2Fme%3Fx/submit", "{}"]);
});

test("a command carries its body, and a read its query", async () => {
  await call(lookUpOrder, { body: { orderNumber: "7K3M" } });
  expect(sent()).toEqual(["POST", "/api/orders/lookup", '{"orderNumber":"7K3M"}']);
  fetched.mockClear();
  await call(listTickets, { query: "status=open&limit=20" });
  expect(sent()).toEqual(["GET", "/api/admin/tickets?status=open&limit=20", undefined]);
});

test("an answer is read by its contract", async () => {
  const me = { userId: "user_1", name: "Robin", role: null };
  fetched.mockImplementation(async () => Response.json({ ...me, more: "than was promised" }));
  expect(await send(showMe)).toEqual(me);
});

test("an answer that is not what the contract says is refused", async () => {
  await expect(send(showMe)).rejects.toThrow(z.core.$ZodError);
});

test("an answer without a body is none", async () => {
  fetched.mockImplementation(async () => new Response(null, { status: 204 }));
  expect(await send(signOutHere)).toBeUndefined();
});

const behind = { Stale: "true" };

test("a read of what was just written is repeated until the server has it", async () => {
  const me = { userId: "user_1", name: "Robin", role: null };
  fetched
    .mockImplementationOnce(async () =>
      Response.json({ code: "not-found" }, { status: 404, headers: behind }),
    )
    .mockImplementationOnce(async () => Response.json({ ...me, name: "As it was" }, { headers: behind }))
    .mockImplementation(async () => Response.json(me));
  vi.spyOn(console, "error").mockReturnValue();
  expect(await sendUntilFresh(showMe)).toEqual(me);
  expect(fetched).toHaveBeenCalledTimes(3);
});

test("a read is repeated 30 times at most, and never after a refusal that is up to date", async () => {
  const me = { userId: "user_1", name: "As it was", role: null };
  fetched.mockImplementation(async () => Response.json(me, { headers: behind }));
  expect(await sendUntilFresh(showMe)).toEqual(me);
  expect(fetched).toHaveBeenCalledTimes(30);
  fetched.mockReset().mockImplementation(async () => Response.json({}, { status: 404 }));
  vi.spyOn(console, "error").mockReturnValue();
  await expect(sendUntilFresh(showMe)).rejects.toThrow("404");
  expect(fetched).toHaveBeenCalledOnce();
});

test.each([
  [`attachment; filename="T-1.eml"`, "T-1.eml"],
  [`attachment; filename="Si?n.pdf"; filename*=UTF-8''Si%C3%A2n.pdf`, "Siân.pdf"],
  ["attachment", undefined],
])("a file is saved under the name in %s", (disposition, name) => {
  expect(nameIn(disposition)).toBe(name);
});
