import express from "express";
import { afterEach, expect, it, vi } from "vitest";
import { Problem } from "../errors/problem.ts";
import { listen } from "../listen.ts";
import { createLimit, createMailLimit, createUnverifiedMailLimit, defaultLimits } from "./limit.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
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

it("allows five mails an hour to one address, however it is written", async () => {
  const allowsMail = createMailLimit();
  const addresses = [
    "a@post.example",
    "A@post.example",
    " a@POST.example",
    "a@post.example",
    "a@post.example",
  ];
  for (const address of addresses) expect(await allowsMail(address)).toBe(true);
  expect(await allowsMail("a@post.example")).toBe(false);
  expect(await allowsMail("b@post.example")).toBe(true);
});

it("allows two hundred unverified mails an hour in all, and five of one sender", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const count = createUnverifiedMailLimit();
  for (let n = 0; n < 5; n++) expect(await count("a@post.example")).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(await count("a@post.example")).toBe(3_599_000);
  for (let n = 5; n < 200; n++) expect(await count(`${n}@post.example`)).toBe(0);
  expect(await count("another@post.example")).toBe(3_599_000);
});

it("does not count for its sender an unverified mail that is refused for the others", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const count = createUnverifiedMailLimit();
  for (let n = 0; n < 200; n++) await count(`${n}@post.example`);
  vi.advanceTimersByTime(1_800_000);
  for (let n = 0; n < 10; n++) expect(await count("a@post.example")).toBe(1_800_000);
  vi.advanceTimersByTime(1_800_000);
  for (let n = 0; n < 5; n++) expect(await count("a@post.example")).toBe(0);
  expect(await count("a@post.example")).toBe(1_800_000);
});

it("counts an hour from the first mail, and then anew", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const allowsMail = createMailLimit();
  const allowed = async () => {
    for (let mails = 0; mails < 5; mails++) if (!(await allowsMail("a@post.example"))) return mails;
    return 5;
  };
  expect(await allowed()).toBe(5);
  vi.advanceTimersByTime(3_599_999);
  expect(await allowed()).toBe(0);
  vi.advanceTimersByTime(1);
  expect(await allowed()).toBe(5);
  expect(await allowed()).toBe(0);
});
