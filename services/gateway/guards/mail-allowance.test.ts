import { afterEach, expect, it, vi } from "vitest";
import { createMailLimit, createUnverifiedMailLimit } from "./mail-allowance.ts";

afterEach(() => void vi.useRealTimers());

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
  const { count, usedUpForMs } = createUnverifiedMailLimit();
  for (let n = 0; n < 5; n++) expect(await count("a@post.example", 20_000)).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(await count("a@post.example", 20_000)).toBe(3_599_000);
  for (let n = 5; n < 200; n++) expect(await count(`${n}@post.example`, 20_000)).toBe(0);
  expect(await usedUpForMs()).toBe(0);
  expect(await count("another@post.example", 20_000)).toBe(3_599_000);
  expect(await usedUpForMs()).toBe(3_599_000);
});

it("counts an unverified mail once for each 2.5 MB, against the two hundred of all alone", async () => {
  const { count } = createUnverifiedMailLimit();
  for (let n = 0; n < 33; n++) expect(await count(`${n}@post.example`, 15_000_000)).toBe(0);
  expect(await count("a@post.example", 2_500_001)).toBe(0);
  expect(await count("another@post.example", 20_000)).toBeGreaterThan(0);
});

it("does not count for its sender an unverified mail that is refused for the others", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { count } = createUnverifiedMailLimit();
  for (let n = 0; n < 200; n++) await count(`${n}@post.example`, 20_000);
  vi.advanceTimersByTime(1_800_000);
  for (let n = 0; n < 10; n++) expect(await count("a@post.example", 20_000)).toBe(1_800_000);
  vi.advanceTimersByTime(1_800_000);
  for (let n = 0; n < 5; n++) expect(await count("a@post.example", 20_000)).toBe(0);
  expect(await count("a@post.example", 20_000)).toBe(1_800_000);
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
