import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { textIn } from "../../testing/services/pdf-text.ts";
import { type PrintedDocument, printPdf } from "./print-pdf.ts";

const madeAt = new Date("2026-11-21T09:00:00.000Z");
const printed = (sections: PrintedDocument["sections"]): PrintedDocument => ({
  title: "A document",
  lead: ["About something."],
  sections,
  footer: "Kith & Copy",
  author: "Kith & Copy",
  madeAt,
});
const pagesOf = (pdf: Buffer): number => pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length ?? 0;

test("The same content and time give the same bytes, another time others", async () => {
  const content = printed([{ heading: "Names", facts: [{ name: "Name", value: "Ŵyn Żółć" }] }]);
  const first = await printPdf(content);
  expect((await printPdf(content)).equals(first)).toBe(true);
  expect((await printPdf({ ...content, madeAt: new Date(0) })).equals(first)).toBe(false);
});

test("A document has a language, a title and a structure for screen readers", async () => {
  const pdf = (
    await printPdf(printed([{ heading: "Names", facts: [{ name: "Name", value: "x" }] }]))
  ).toString("latin1");
  for (const mark of [
    "/Lang (en-GB)",
    "/DisplayDocTitle true",
    "/MarkInfo",
    "/S /H1",
    "/S /H2",
    "/S /TH",
    "/S /TD",
    "pdfuaid:part",
  ])
    expect(pdf).toContain(mark);
});

test("Lines stay apart for screen readers and in copied text", async () => {
  const text = textIn(
    await printPdf({
      ...printed([
        {
          heading: "Sold to",
          paragraphs: ["One paragraph\nin two lines"],
          facts: [{ name: "Address", value: "1 High Street\r\nLondon\nN1 1AA" }],
        },
      ]),
      lead: [`A lead that ${"goes on and ".repeat(12)}ends.`],
    }),
  );
  expect(text).toContain("1 High Street London N1 1AA");
  expect(text).toContain("One paragraph in two lines");
  expect(text).toContain(`A lead that ${"goes on and ".repeat(12)}ends.`);
});

test("Many facts, and a value longer than a page, run on to further pages", async () => {
  const facts = Array.from({ length: 80 }, (_, row) => ({ name: `Name ${row}`, value: "A value" }));
  expect(pagesOf(await printPdf(printed([{ heading: "Many", facts }])))).toBeGreaterThan(1);
  const long = { name: "Message", value: "A line of a long letter.\n".repeat(300) };
  expect(
    pagesOf(await printPdf(printed([{ heading: "Long", facts: [long, ...facts.slice(0, 3)] }]))),
  ).toBeGreaterThan(3);
});

test("A document without facts is one page", async () => {
  expect(pagesOf(await printPdf(printed([{ heading: "Nothing", paragraphs: ["There is none."] }])))).toBe(1);
});

test("A message without spaces is printed about as fast as any other", async () => {
  const timed = async (value: string) => {
    const facts = Array.from({ length: 4 }, () => ({ name: "Message", value }));
    // CPU time, because a busy machine takes longer for either.
    const began = process.cpuUsage();
    const pdf = await printPdf(printed([{ heading: "Conversation", facts }]));
    return { pdf, ms: process.cpuUsage(began).user / 1000 };
  };
  await timed("warm up");
  const usual = await timed("A line of words. ".repeat(294));
  const run = await timed("W".repeat(5_000));
  expect(run.ms).toBeLessThan(usual.ms * 12);
  expect(pagesOf(run.pdf)).toBeGreaterThan(1);
});

test("Printing a long document does not block the event loop", async () => {
  const facts = Array.from({ length: 40 }, (_, row) => ({ name: `Name ${row}`, value: "A value" }));
  let turns = 0;
  let printing = true;
  const other = (): void => {
    turns++;
    if (printing) setImmediate(other);
  };
  setImmediate(other);
  await printPdf(printed([{ heading: "Many", facts }]));
  printing = false;
  expect(turns).toBeGreaterThanOrEqual(facts.length);
});

/** Runs a script in a process that may read files but not write any. */
const withoutWriting = (script: string) =>
  promisify(execFile)(process.execPath, [
    "--permission",
    "--allow-fs-read=*",
    "--no-warnings",
    "--input-type=module",
    "--eval",
    script,
  ]);

test("A document is printed without writing to disk", async () => {
  const printer = JSON.stringify(import.meta.resolve("./print-pdf.ts"));
  const content = JSON.stringify(printed([{ heading: "Names", facts: [{ name: "Name", value: "x" }] }]));
  const { stdout } = await withoutWriting(`
    const { printPdf } = await import(${printer});
    const content = ${content};
    console.log((await printPdf({ ...content, madeAt: new Date(content.madeAt) })).subarray(0, 5).toString());
  `);
  expect(stdout.trim()).toBe("%PDF-");
});

test("Writing fails in that process (control)", async () => {
  const writing = withoutWriting(`(await import("node:fs")).writeFileSync("never-written", "x")`);
  await expect(writing).rejects.toThrow("ERR_ACCESS_DENIED");
});
