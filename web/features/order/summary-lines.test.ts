import { expect, test } from "vitest";
import { completeBirthDraft } from "../../../testing/pages/draft-fixture.ts";
import { levelsOf, summaryOf, summaryOfAll } from "./summary-lines.ts";

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

test("the receipt of several adds up, with copies, levels and references of their own", () => {
  const choice = (copies: number, isPriority: boolean, groReferenceKnown: string) => {
    const draft = withOptions(copies, isPriority);
    const certificate = { ...draft, birth: { ...draft.birth, groReferenceKnown } };
    const unitPence = isPriority ? 7500 : 4500;
    return { certificate, copies, unitPence, totalPence: unitPence * copies };
  };
  const costs = [choice(2, false, "no"), choice(1, true, "no"), choice(1, false, "yes")];
  const summary = summaryOfAll(costs);
  const parts = summary.parts.filter(({ figure }) => figure !== "included");
  expect(parts.reduce((sum, { figure }) => sum + penceIn(figure), 0)).toBe(21_000);
  expect(summary).toMatchObject({ total: "£210.00", title: "3 certificates", atTheGro: "£86.50" });
  expect(levelsOf(costs)).toEqual(["standard", "priority"]);
});
