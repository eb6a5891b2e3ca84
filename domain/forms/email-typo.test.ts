import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { questionEmail } from "./email-typo.ts";

describe("an email address", () => {
  it.each([
    ["gmial.com", "gmail.com"],
    ["gmal.com", "gmail.com"],
    ["gmmail.com", "gmail.com"],
    ["gnail.com", "gmail.com"],
    ["gmail.co", "gmail.com"],
    ["gmail.con", "gmail.com"],
    ["gamil.con", "gmail.com"],
    ["gmail.co.uk", "gmail.com"],
    ["GMAIL.CON", "gmail.com"],
    ["hotmial.co.uk", "hotmail.co.uk"],
    ["hotmail.couk", "hotmail.co.uk"],
    ["yaho.co.uk", "yahoo.co.uk"],
    ["yahoo.co.k", "yahoo.co.uk"],
    ["outlok.com", "outlook.com"],
    ["iclod.com", "icloud.com"],
    ["btintenet.com", "btinternet.com"],
    ["aol.con", "aol.com"],
    ["example.con", "example.com"],
    ["example.co.ku", "example.co.uk"],
  ])("at %s was meant at %s", (typed, meant) => {
    expect(questionEmail(`Siân.Ó@${typed}`)).toEqual({
      message: `Did you mean Siân.Ó@${meant}?`,
      suggestion: `Siân.Ó@${meant}`,
    });
  });

  it.each([
    "gmail.com",
    "GMail.com",
    "mail.com",
    "ymail.com",
    "email.com",
    "hotmail.fr",
    "example.org",
    "example.co",
    "gov.wales",
    "ool.com",
    "sly.com",
    "gmx.de",
    "nhs.net",
    "students.example.ac.uk",
    "xn--caf-dma.example",
  ])("at %s is not questioned", (domain) => {
    expect(questionEmail(`sian@${domain}`)).toBeUndefined();
  });

  it.each(["", "sian", "sian@", "@gmial.com", "a b@gmial.com", "sian@gmial.com@gmial.com"])(
    "that is none ('%s') is left to the form's own message",
    (typed) => {
      expect(questionEmail(typed)).toBeUndefined();
    },
  );

  it("that is suggested is never itself questioned, whatever was typed", () => {
    const near = fc
      .tuple(
        fc.constantFrom("gmail.com", "live.co.uk", "yahoo.com", "icloud.com"),
        fc.nat(12),
        fc.string({ maxLength: 2 }),
      )
      .map(([domain, at, typed]) => domain.slice(0, at) + typed + domain.slice(at + 1));
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (domain) => {
        const suggestion = questionEmail(`sian@${domain}`)?.suggestion;
        if (suggestion !== undefined) expect(questionEmail(suggestion)).toBeUndefined();
      }),
    );
  });
});
