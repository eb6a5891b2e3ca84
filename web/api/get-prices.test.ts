import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { builtInPriceTable, getPricesInTurn } from "./get-prices.ts";

const at = new Date("2026-11-20T12:00:00Z");
const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("the built-in prices are those of the one price list", () => {
  expect(builtInPriceTable(at).Death).toEqual({ standard: 45, priority: 75 });
});

test("types are asked for one after the other", async () => {
  const running: string[] = [];
  fetched.mockImplementation(async (url) => {
    running.push(`start ${url}`);
    await Promise.resolve();
    running.push(`end ${url}`);
    return Response.json([{ serviceId: "standard", retailPrice: 50.5 }]);
  });
  const prices = await getPricesInTurn(["Birth", "Death"], at);
  expect(running).toEqual([
    "start /api/pricing/services/birth-certificate",
    "end /api/pricing/services/birth-certificate",
    "start /api/pricing/services/death-certificate",
    "end /api/pricing/services/death-certificate",
  ]);
  expect(prices.Birth).toEqual({ standard: 50.5, priority: 75 });
});

test("a type that cannot be fetched keeps its built-in price, and the next is still asked for", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  fetched.mockImplementationOnce(async () => new Response("down", { status: 503 }));
  fetched.mockImplementationOnce(async () => Response.json([{ serviceId: "standard", retailPrice: 50 }]));
  const prices = await getPricesInTurn(["Birth", "Death"], at);
  expect(prices.Birth.standard).toBe(45);
  expect(prices.Death.standard).toBe(50);
  expect(logged).toHaveBeenCalledOnce();
});
