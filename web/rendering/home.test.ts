import { expect, test } from "vitest";
import type { SiteConfig } from "../../contract/site/site.ts";
import { liveConfig, wordsOf } from "../../testing/pages/rendered-page.ts";

const homeWith = (other: Partial<SiteConfig>): Promise<string> => wordsOf("/", other);

const facts = { submittedOrders: 1204, medianMinutesToSubmission: 0.7 };

test("without testimonials home shows what was measured", async () => {
  const words = await homeWith({ facts });
  expect(words).toContain("We don’t show reviews we can’t prove.");
  expect(words).toContain("orders submitted so far 1,204");
  expect(words).toContain("median time from payment to submission, last 90 days 42 seconds");
  expect(words).not.toMatch(/What customers say|simulated/);
});

test("with nothing measured home claims nothing, and says so", async () => {
  const words = await homeWith({});
  expect(words).toContain("once we have enough orders to measure");
  expect(words).not.toMatch(/orders submitted so far|had been submitted/);
});

test("a number of orders without a recent median stands alone", async () => {
  const words = await homeWith({ facts: { submittedOrders: 20, medianMinutesToSubmission: null } });
  expect(words).toContain("orders submitted so far 20");
  expect(words).not.toContain("had been submitted");
});

test("a sandbox says that its figures are not of the General Register Office", async () => {
  expect(await homeWith({ facts, modes: { ...liveConfig.modes, submission: "sandbox" } })).toContain(
    "submissions here go to a simulated GRO",
  );
});

test("testimonials stand with their source, and no sentence apologises for having none", async () => {
  const words = await homeWith({
    testimonials: [
      { quote: "It came in six days.", name: "R. Lloyd", source: "letter of 3 May 2026" },
      {
        quote: "Quick & clear.",
        name: "S. Price",
        source: "reviews.example",
        url: "https://reviews.example/1",
      },
    ],
  });
  expect(words).toMatch(/What customers say.*It came in six days\. R\. Lloyd, letter of 3 May 2026/);
  expect(words).toMatch(/Quick &amp; clear\. S\. Price, reviews\.example/);
  expect(words).not.toMatch(/We don’t show reviews|publish our figures/);
});

test("the sample of a tracking page is always marked as an example", async () => {
  for (const other of [{}, { facts }])
    expect(await homeWith(other)).toContain("An example, not a real order.");
});

test("the last call to action is a section of its own, with what the GRO charges beside it", async () => {
  const words = await homeWith({});
  expect(words).toMatch(
    /Have the names and a date to hand\? .* Get Started We are a private company, not the GRO/,
  );
});

test("says when an order placed now is despatched, without the browser's help", async () => {
  expect(await homeWith({})).toMatch(
    /Order (by 16:00 today|now) with Priority: despatch expected by \w+day \d+ \w+ , likely to arrive by \w+day/,
  );
});
