import { describe, expect, test } from "vitest";
import { liveConfig, wordsOf } from "../../testing/pages/rendered-page.ts";

/** What the specification asks the terms to say, and the words in which they do. */
const terms = [
  ["18 or over, or with consent", /18 or over, or have the consent of a parent or guardian/],
  [
    "prices include fee, administration and postage",
    /include the GRO’s fee, our administration fee and postage/,
  ],
  ["a fee to correct errors", /administration fee may be charged to correct errors/],
  ["no card details are stored", /card payment provider.*we store no card details/],
  ["cancelling until submission", /cancel until the application has been submitted to the GRO/],
  ["several orders", /up to 10 certificates together\. Each is an order of its own.*you paid for the order/],
  ["everything back for our own error", /through our own error, you get a full refund/],
  ["no refund for delays", /GRO and postal delays\. There is no refund for delays by the GRO or in the post/],
  ["disputes", /dispute the payment with your bank.*no refund until the bank has decided/],
  ["standard delivery", /about 15 working days after the GRO receives the form/],
  ["priority delivery", /on the next working day after the GRO receives it/],
  ["liability", /liability is limited to the amount you paid/],
  ["the law", /English law applies/],
  ["complaints", /Complaints Email help@ash\.example, or use the form/],
  ["no affiliation", /not affiliated with the General Register Office/],
  ["the version", /Version 5, last updated 27 November 2026/],
] as const;

const privacy = [
  ["names and contact", /full name and title.*email address, phone numbers and postal address/],
  ["certificate details", /certificate details: what the register needs/],
  ["payment information", /Payment information.*never see or store them/],
  ["deleted after submission", /within 3 minutes, typically in seconds/],
  [
    "who it is shared with",
    /General Register Office, .*payment provider, .*automation service that builds the form/,
  ],
  ["where", /processed within the UK and the EEA/],
  ["marketing", /marketing only if you opt in/],
  ["cookies", /Minimal: one for each order/],
  ["under 18", /under 18, you need the consent of a parent or guardian/],
  ["rights", /UK GDPR gives you the right to see your data.*corrected, erased or restricted/],
  ["the regulator", /regulator, the Information Commissioner’s Office/],
  [
    "staff look with a reason, on record",
    /must give a reason from a fixed list.*recorded before anything opens/,
  ],
  ["how people are found", /Fingerprints of your email address, surname and postcode/],
  ["disputes", /keep your contact details until the dispute has ended/],
  [
    "an account of what is held",
    /copy of everything we hold.*each time a member of staff read your details, with the reason/,
  ],
  ["erasure", /erase at once anything we don’t need.*and the rest as soon as that need ends/],
  ["unpaid orders", /never paid for 24 hours/],
  ["what stays", /kept for our accounts and as our record of what happened/],
  [
    "when an order is closed",
    /you tell us that the certificate has arrived, or otherwise 20 working days after/,
  ],
  ["saved orders", /unfinished order, if you ask us to email you a link to it 7 days later/],
  [
    "other recipients and references",
    /name and address of anyone else you have the certificate posted to.*recipient’s name and address, your own reference.*posted to you for someone else/,
  ],
  ["previous addresses", /we first tell your previous address, and delete it once we have, within 24 hours/],
  ["the version", /Version 10, last updated 27 November 2026/],
] as const;

describe("the terms", () => {
  test.each(terms)("say: %s", async (_point, words) => {
    expect(await wordsOf("/terms")).toMatch(words);
  });
});

describe("the privacy policy", () => {
  test.each(privacy)("says: %s", async (_point, words) => {
    expect(await wordsOf("/privacy")).toMatch(words);
  });

  test("says how long contact data is kept as the setting has it", async () => {
    expect(await wordsOf("/privacy")).toContain("12 months after the order is closed");
    expect(await wordsOf("/privacy", { contactRetentionDays: 180 })).toContain(
      "180 days after the order is closed",
    );
  });
});

describe("where staff submit by hand", () => {
  const byHand = { modes: { ...liveConfig.modes, submission: "byHand" } } as const;

  test.each(["/terms", "/how-it-works", "/privacy"])(
    "%s promises no minutes and names no service",
    async (path) => {
      const usual = await wordsOf(path);
      expect(usual).toMatch(/usually within minutes|automation service/);
      const words = await wordsOf(path, byHand);
      expect(words).not.toMatch(/usually within minutes|automation service/);
      expect(words).not.toMatch(/[Ss]andbox/);
    },
  );

  test("the privacy notice names who hands the form over, and the promise of destruction stays", async () => {
    expect(await wordsOf("/privacy", byHand)).toContain("Our staff who fill in the form");
    expect(await wordsOf("/privacy", byHand)).toMatch(/within 3 minutes, typically in seconds/);
  });
});
