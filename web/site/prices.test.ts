import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { firstPriceList } from "../../domain/pricing/price-list.ts";
import { getPricesInTurn, priceTable } from "./prices.ts";

const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("a list is shown in pounds", () => {
  expect(priceTable(firstPriceList).Death).toEqual({ standard: 45, priority: 75 });
});

test("types are asked for one after the other", async () => {
  const running: string[] = [];
  fetched.mockImplementation(async (url) => {
    running.push(`start ${url}`);
    await Promise.resolve();
    running.push(`end ${url}`);
    return Response.json([{ serviceId: "standard", retailPrice: 50.5 }]);
  });
  const prices = await getPricesInTurn(["Birth", "Death"], firstPriceList);
  expect(running).toEqual([
    "start /api/pricing/services/birth-certificate",
    "end /api/pricing/services/birth-certificate",
    "start /api/pricing/services/death-certificate",
    "end /api/pricing/services/death-certificate",
  ]);
  expect(prices.Birth).toEqual({ standard: 50.5, priority: 75 });
});

test("a type that cannot be fetched keeps the price of the list that came with the page, and the next is still asked for", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  fetched.mockImplementationOnce(async () => new Response("down", { status: 503 }));
  fetched.mockImplementationOnce(async () => Response.json([{ serviceId: "standard", retailPrice: 50 }]));
  const prices = await getPricesInTurn(["Birth", "Death"], firstPriceList);
  expect(prices.Birth.standard).toBe(45);
  expect(prices.Death.standard).toBe(50);
  expect(logged).toHaveBeenCalledOnce();
});
