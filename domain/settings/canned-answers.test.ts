import { describe, expect, it } from "vitest";
import { cannedVariables, fillCannedAnswer, unknownVariables } from "./canned-answers.ts";
import { cannedAnswer, testimonials } from "./settings-texts.ts";

describe("a canned answer", () => {
  it("is filled in wherever a variable stands, with or without space around its name", () => {
    const { text, missing } = fillCannedAnswer(
      "Dear {{customerName}}, {{ orderNumber }} is {{status}}. {{orderNumber}}!",
      { customerName: "Siân Ŵyn", orderNumber: "7K3M-Q9TX-2HVD4", status: "With Home Office" },
    );
    expect(text).toBe("Dear Siân Ŵyn, 7K3M-Q9TX-2HVD4 is With Home Office. 7K3M-Q9TX-2HVD4!");
    expect(missing).toEqual([]);
  });

  it("keeps a variable without a value, and says so once", () => {
    expect(fillCannedAnswer("{{status}} {{status}} {{companyName}}", { companyName: "" })).toEqual({
      text: "{{status}} {{status}} {{companyName}}",
      missing: ["status", "companyName"],
    });
  });

  it("never reads what a customer typed as a variable, nor as a pattern", () => {
    const { text } = fillCannedAnswer("{{customerName}} {{status}}", {
      customerName: "{{status}} $& $1",
      status: "Fulfilled",
    });
    expect(text).toBe("{{status}} $& $1 Fulfilled");
  });

  it.each(["toString", "__proto__", "constructor", "name"])("has no variable {{%s}}", (name) => {
    expect(unknownVariables(`{{${name}}}`)).toEqual([name]);
    expect(fillCannedAnswer(`{{${name}}}`, { status: "x" }).text).toBe(`{{${name}}}`);
  });

  it("is refused with a variable that does not exist, and taken with all that do", () => {
    const all = Object.keys(cannedVariables)
      .map((name) => `{{${name}}}`)
      .join(" ");
    expect(cannedAnswer.safeParse({ title: "All", text: all }).success).toBe(true);
    const wrong = cannedAnswer.safeParse({ title: "Typo", text: "Dear {{custmerName}}" });
    expect(wrong.error?.issues.map(({ message }) => message)).toEqual([
      "There is no variable {{custmerName}}",
    ]);
  });
});

describe("testimonials", () => {
  const said = { quote: "Came in a week.", name: "M. Rhys", source: "Letter of 3 March 2026" };

  it("name their source, and link to nothing that could run as a script", () => {
    expect(testimonials.safeParse([said, { ...said, url: "https://reviews.example/1" }]).success).toBe(true);
    expect(testimonials.safeParse([{ ...said, source: "" }]).success).toBe(false);
    expect(testimonials.safeParse([{ ...said, url: "javascript:alert(1)" }]).success).toBe(false);
    expect(testimonials.safeParse([{ ...said, url: "http://reviews.example/1" }]).success).toBe(false);
  });

  it("are six at most", () => {
    expect(testimonials.safeParse(Array.from({ length: 7 }, () => said)).success).toBe(false);
  });
});
