import { expect, test } from "vitest";
import { completeBirthDraft } from "../../../testing/pages/draft-fixture.ts";
import { summaryOf } from "./summary-lines.ts";

const penceIn = (figure: string): number => Math.round(Number(figure.replace(/[£,]/g, "")) * 100);
const withOptions = (fullCertificates: number, isPriority: boolean) => {
  const draft = completeBirthDraft();
  return { ...draft, certificateOptions: { ...draft.certificateOptions, fullCertificates, isPriority } };
};

const cases = [1, 2, 3, 4, 5].flatMap((copies) => [
  { copies, isPriority: false, unitPence: 4500 },
  { copies, isPriority: true, unitPence: 7500 },
]);

test.each(cases)(
  "the receipt adds up: $copies copies, priority $isPriority",
  ({ copies, isPriority, unitPence }) => {
    const summary = summaryOf(withOptions(copies, isPriority), unitPence);
    const parts = summary.parts
      .filter(({ figure }) => figure !== "included")
      .map(({ figure }) => penceIn(figure));
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(penceIn(summary.unit));
    expect(penceIn(summary.total)).toBe(unitPence * copies);
  },
);

test("the search fee is named while no GRO reference is given, and falls away with one", () => {
  const draft = withOptions(1, false);
  const summary = (groReference: string) =>
    summaryOf({ ...draft, birth: { ...draft.birth, groReferenceKnown: "yes", groReference } }, 4500);
  const names = (reference: string) => summary(reference).parts.map(({ what }) => what);
  expect(names(" ")).toContain("GRO search fee");
  expect(summary(" ").atTheGro).toBe("£16.00");
  expect(names("1984/1Q 8321")).not.toContain("GRO search fee");
  expect(summary("1984/1Q 8321").atTheGro).toBe("£12.50");
});
