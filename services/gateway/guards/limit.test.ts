import express from "express";
import { afterEach, expect, it } from "vitest";
import { Problem } from "../errors/problem.ts";
import { listen } from "../listen.ts";
import { createLimit, defaultLimits } from "./limit.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Asks a gateway that counts no more than so many addresses, and answers the status. */
async function gatewayCounting(most: number) {
  const limit = createLimit({ ...defaultLimits, lookups: 1 }, undefined, most);
  const app = express();
  app.set("trust proxy", 1);
  app.get("/", async (request, response) => {
    const refusal = await limit(request, "lookups").catch((error: unknown) => error);
    response.sendStatus(refusal instanceof Problem ? refusal.status : 200);
  });
  const listening = await listen(app, "127.0.0.1", 0);
  closing.push(() => listening.close());
  return async (address: string) => {
    const asked = await fetch(`http://127.0.0.1:${listening.port}/`, {
      headers: { "X-Forwarded-For": address },
    });
    return asked.status;
  };
}

it("keeps counts of no more addresses than it may, and forgets the oldest first", async () => {
  const ask = await gatewayCounting(3);
  for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) expect(await ask(address)).toBe(200);
  for (const address of ["192.0.2.3", "192.0.2.2", "192.0.2.1"]) expect(await ask(address)).toBe(429);
  expect(await ask("192.0.2.4")).toBe(200);
  expect(await ask("192.0.2.1"), "the oldest was forgotten").toBe(200);
  for (const address of ["192.0.2.3", "192.0.2.4"]) expect(await ask(address), "still counted").toBe(429);
});
