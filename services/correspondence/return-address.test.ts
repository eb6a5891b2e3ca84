import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createReturnAddresses, mostNameCharacters, type ReturningMail } from "./return-address.ts";

const newKey = () => createSecretKey(randomBytes(32));
const oneKey = newKey();
const keysOf = (...keys: ReturnType<typeof newKey>[]) => ({
  current: () => keys[0] ?? oneKey,
  accepted: () => keys,
});
const dayMs = 86_400_000;
let nowMs = Date.UTC(2026, 10, 28, 12);

const addressesOf = (options: Partial<Parameters<typeof createReturnAddresses>[0]> = {}) =>
  createReturnAddresses({
    address: "help@certificates.example",
    keys: keysOf(oneKey),
    now: () => new Date(nowMs),
    ...options,
  });
const addresses = addressesOf();
const mailOf = (more: Partial<ReturningMail> = {}): ReturningMail => ({
  subject: { kind: "order", id: randomUUID() },
  messageId: `confirmation.${randomUUID()}`,
  generation: 0,
  ...more,
});

describe("A return address", () => {
  test.each(["order", "ticket", "draft"] as const)("names the mail of its %s", (kind) => {
    const mail = mailOf({ subject: { kind, id: randomUUID() } });
    const read = addresses.read(addresses.for(mail));
    expect(read?.subject).toEqual(mail.subject);
    expect(read?.generation).toBe(0);
    expect([read?.isOf(mail.messageId), read?.isOf("submitted.other")]).toEqual([true, false]);
  });

  test("fits into an address, with the longest name allowed", () => {
    const name = "n".repeat(mostNameCharacters);
    const address = addressesOf({ address: `${name}@certificates.example` }).for(mailOf());
    expect(address.split("@")[0]).toHaveLength(64);
    expect(mostNameCharacters).toBe(11);
  });

  test("survives a server that changes its case", () => {
    const address = addresses.for(mailOf());
    expect(addresses.read(address.toUpperCase())).toBeDefined();
  });

  test("counts for 180 days", () => {
    const address = addresses.for(mailOf());
    const begun = nowMs;
    nowMs = begun + 180 * dayMs;
    expect(addresses.read(address)).toBeDefined();
    nowMs = begun + 181 * dayMs;
    expect(addresses.read(address)).toBeUndefined();
    nowMs = begun;
  });

  test.each([1, 30, 255])("tells the generation %i of its mail", (generation) => {
    expect(addresses.read(addresses.for(mailOf({ generation })))?.generation).toBe(generation);
  });

  test("counts after a rotation of the key until the old one is revoked", () => {
    const address = addresses.for(mailOf());
    const rotated = addressesOf({ keys: keysOf(newKey(), oneKey) });
    const revoked = addressesOf({ keys: keysOf(newKey()) });
    expect(rotated.read(address)).toBeDefined();
    expect(revoked.read(address)).toBeUndefined();
  });

  test("does not count with any character changed", () => {
    const address = addresses.for(mailOf());
    const [start, end] = ["help+".length, address.indexOf("@")];
    for (let at = start; at < end; at += 1) {
      for (const other of ["a", "q", "7"]) {
        if (address[at] === other) continue;
        const changed = `${address.slice(0, at)}${other}${address.slice(at + 1)}`;
        expect(addresses.read(changed), changed).toBeUndefined();
      }
    }
  });

  test("of another installation does not count", () => {
    const other = addressesOf({ keys: keysOf(newKey()) });
    expect(addresses.read(other.for(mailOf()))).toBeUndefined();
  });
});

describe("Another address", () => {
  test.each([
    "help@certificates.example",
    "help+@certificates.example",
    "help+short@certificates.example",
    `help+${"a".repeat(53)}@certificates.example`,
    `help+${"!".repeat(52)}@certificates.example`,
    "",
    "@",
    "help+x",
  ])("such as %j says nothing", (address) => {
    expect(addresses.read(address)).toBeUndefined();
  });

  test("is ours with or without a token, and with no other name or domain", () => {
    const withToken = addresses.for(mailOf());
    const ours = ["help@certificates.example", "HELP+anything@Certificates.example", withToken];
    const foreign = ["sales@certificates.example", "help@other.example", "helper+x@certificates.example", ""];
    const plain = "help@certificates.example";
    expect(ours.map(addresses.mailboxOf)).toEqual([plain, plain, withToken]);
    expect(addresses.mailboxOf(withToken.toUpperCase())).toBe(withToken);
    expect(foreign.map(addresses.mailboxOf)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
