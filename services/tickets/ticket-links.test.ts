import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { fixedKeys } from "../../testing/gateway/gateway-fixture.ts";
import { createTicketLinks } from "./tickets.ts";

const publicUrl = "https://copies.example";
const links = createTicketLinks({ keys: fixedKeys(randomBytes(32)), publicUrl });
const keyIn = (link: string) => new URL(link).hash.replace("#key=", "");

describe("A private link", () => {
  const ticketId = randomUUID();
  const link = links.linkTo(ticketId, 1);
  const key = keyIn(link);

  test("keeps its key in the fragment, which browsers never send", () => {
    expect(link).toMatch(/^https:\/\/copies\.example\/support\/view#key=[\w-]{22}\.[\w-]{43}$/);
  });

  test("holds 256 secret bits, and opens its own ticket", () => {
    expect(Buffer.from(key.split(".")[1] ?? "", "base64url")).toHaveLength(32);
    expect(links.ticketIdIn(key)).toBe(ticketId);
    expect(links.opens(key, ticketId, 1)).toBe(true);
  });

  test("is the same each time it is made", () => {
    expect(links.linkTo(ticketId, 1)).toBe(link);
  });

  test("opens nothing once it was replaced, nor before its time", () => {
    expect(links.opens(key, ticketId, 2)).toBe(false);
    expect(links.opens(keyIn(links.linkTo(ticketId, 2)), ticketId, 1)).toBe(false);
  });

  test("opens no other ticket, whichever id precedes its secret", () => {
    const other = randomUUID();
    expect(links.opens(key, other, 1)).toBe(false);
    const [otherId = ""] = keyIn(links.linkTo(other, 1)).split(".");
    const forged = `${otherId}.${key.split(".")[1]}`;
    expect(links.ticketIdIn(forged)).toBe(other);
    expect(links.opens(forged, other, 1)).toBe(false);
  });

  test("of another installation opens nothing", () => {
    const theirs = createTicketLinks({ keys: fixedKeys(randomBytes(32)), publicUrl });
    expect(theirs.opens(key, ticketId, 1)).toBe(false);
  });

  test.each(["", "x", key.slice(0, -1), `${key}A`, key.replace(".", ""), ` ${key}`])(
    "cannot be '%s'",
    (typed) => {
      expect(links.ticketIdIn(typed)).toBeUndefined();
      expect(links.opens(typed, ticketId, 1)).toBe(false);
    },
  );
});

test("A link that an older key signed opens the ticket until that key is given up", () => {
  const [ticketId, old, young] = [randomUUID(), randomBytes(32), randomBytes(32)];
  const before = keyIn(createTicketLinks({ keys: fixedKeys(old), publicUrl }).linkTo(ticketId, 1));
  const rotated = createTicketLinks({ keys: fixedKeys(young, old), publicUrl });
  expect(rotated.opens(before, ticketId, 1)).toBe(true);
  expect(rotated.opens(before, ticketId, 2)).toBe(false);
  expect(rotated.opens(keyIn(rotated.linkTo(ticketId, 1)), ticketId, 1)).toBe(true);
  expect(createTicketLinks({ keys: fixedKeys(young), publicUrl }).opens(before, ticketId, 1)).toBe(false);
});
