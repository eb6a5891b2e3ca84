import { setImmediate as giveWay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The text content of a document; the printer decides its appearance. */
export type PrintedDocument = {
  readonly title: string;
  /** Under the title: the subject of the document. */
  readonly lead: readonly string[];
  readonly sections: readonly PrintedSection[];
  /** At the foot of every page, before the page number. */
  readonly footer: string;
  readonly author: string;
  /** The same content and time give the same bytes. */
  readonly madeAt: Date;
};

export type PrintedSection = {
  readonly heading: string;
  readonly paragraphs?: readonly string[];
  readonly facts?: readonly PrintedFact[];
};

export type PrintedFact = { readonly name: string; readonly value: string };

const font = (name: string): string => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));

/** DejaVu has every letter of Welsh and Polish; names must be printed as typed. */
const faces = {
  text: font("DejaVuSans"),
  bold: font("DejaVuSans-Bold"),
  display: font("DejaVuSerif"),
} as const;

const colours = { ink: "#1b1a24", muted: "#57546a", hairline: "#ddd9d0", primary: "#3d35a8" } as const;

/** In points; A4 is 595 by 842. */
const margin = 56;
const footerHeight = 28;
const nameWidth = 168;
const columnGap = 16;

type Doc = PDFKit.PDFDocument;

/** Untyped: the library supports this option since 0.17, but its types do not include it yet. */
const universalAccess: object = { subset: "PDF/UA" };

/**
 * Prints a document as a tagged PDF of A4 pages (PDF/UA), so screen readers know its headings and which value belongs
 * to which name. Works in memory only, and yields to the event loop between facts, however long the document is.
 */
export async function printPdf(printed: PrintedDocument): Promise<Buffer> {
  // 9 MB with its fonts' reader, which a process that prints nothing does not need.
  const { default: PDFDocument } = await import("pdfkit");
  const doc = new PDFDocument({
    size: "A4",
    margins: { top: margin, left: margin, right: margin, bottom: margin + footerHeight },
    pdfVersion: "1.7",
    ...universalAccess,
    tagged: true,
    displayTitle: true,
    lang: "en-GB",
    bufferPages: true,
    font: faces.text,
    info: {
      Title: printed.title,
      Author: printed.author,
      CreationDate: printed.madeAt,
      ModDate: printed.madeAt,
    },
  });
  const bytes = collect(doc);
  const root = doc.struct("Document");
  doc.addStructure(root);
  root.add(doc.struct("H1", {}, () => title(doc, printed.title)));
  for (const sentence of printed.lead) root.add(doc.struct("P", {}, () => paragraph(doc, sentence)));
  for (const section of printed.sections) await printSection(doc, root, section);
  root.end();
  numberPages(doc, printed.footer);
  doc.end();
  return bytes;
}

function collect(doc: Doc): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    doc.on("data", (chunk: Buffer) => chunks.push(chunk));
    doc.on("end", () => resolve(Buffer.concat(chunks)));
    doc.on("error", reject);
  });
}

function title(doc: Doc, words: string): void {
  doc.font(faces.display).fontSize(20).fillColor(colours.primary).text(words);
  doc.moveDown(0.4);
}

function paragraph(doc: Doc, words: string): void {
  doc.font(faces.text).fontSize(9.5).fillColor(colours.ink).text(breakable(words), { lineGap: 2 });
  doc.moveDown(0.5);
}

type Part = PDFKit.PDFStructureElement;

/** Anything added to a part that is already in the document is drawn at once. */
async function printSection(
  doc: Doc,
  root: Part,
  { heading, paragraphs = [], facts = [] }: PrintedSection,
): Promise<void> {
  const section = doc.struct("Sect");
  root.add(section);
  section.add(doc.struct("H2", {}, () => headingOf(doc, heading)));
  for (const words of paragraphs) section.add(doc.struct("P", {}, () => paragraph(doc, words)));
  if (facts.length > 0) await printTable(doc, section, facts);
  section.end();
}

function headingOf(doc: Doc, words: string): void {
  const line = 60;
  // A heading must not end a page.
  if (doc.y + line > bottomOf(doc)) doc.addPage();
  doc.moveDown(0.8);
  doc.font(faces.display).fontSize(13).fillColor(colours.ink).text(words, margin);
  doc.moveDown(0.3);
}

async function printTable(doc: Doc, section: Part, facts: readonly PrintedFact[]): Promise<void> {
  const table = doc.struct("Table");
  section.add(table);
  for (const fact of facts) {
    await giveWay();
    table.add(rowOf(doc, { name: breakable(fact.name), value: breakable(fact.value) }));
  }
  table.end();
}

function rowOf(doc: Doc, fact: PrintedFact): Part {
  const row = doc.struct("TR");
  const height = rowHeight(doc, fact);
  let top = 0;
  row.add(
    doc.struct("TH", {}, () => {
      top = startRow(doc, height);
      nameFace(doc).text(fact.name, margin, top, { width: nameWidth });
    }),
  );
  row.add(
    doc.struct("TD", {}, () => {
      const { page } = doc;
      valueFace(doc).text(fact.value, valueLeft, top, { width: valueWidth(doc) });
      doc.x = margin;
      // If the value ran on to another page, the name takes no space there.
      doc.y = (doc.page === page ? Math.max(doc.y, top + height) : doc.y) + 5;
    }),
  );
  row.end();
  return row;
}

const longRun = /\S{61,}/gu;
const twentySigns = /(?:\P{M}\p{M}*){20}(?=\P{M})/gu;

/**
 * Adds a zero-width break after every twenty characters of a run without spaces. The library finds such breaks itself,
 * but measures the rest of the run again for each line: seconds for one message of a thousand letters. Each line ends
 * with a space: the page has no line ends, so without it copied text and screen readers join two lines to one word.
 */
const breakable = (text: string): string =>
  text.replace(longRun, (run) => run.replace(twentySigns, "$&\u200b")).replaceAll(/\r?\n/gu, " \n");

const valueLeft = margin + nameWidth + columnGap;
const valueWidth = (doc: Doc): number => doc.page.width - margin - valueLeft;
const bottomOf = (doc: Doc): number => doc.page.height - margin - footerHeight;

const nameFace = (doc: Doc): Doc => doc.font(faces.text).fontSize(9).fillColor(colours.muted);
const valueFace = (doc: Doc): Doc => doc.font(faces.bold).fontSize(9.5).fillColor(colours.ink);

function rowHeight(doc: Doc, { name, value }: PrintedFact): number {
  const height = nameFace(doc).heightOfString(name, { width: nameWidth });
  return Math.max(height, valueFace(doc).heightOfString(value, { width: valueWidth(doc) }));
}

/** Draws the line above a row, on a new page if it would not fit. @returns where its text begins */
function startRow(doc: Doc, height: number): number {
  // A row longer than a page breaks anywhere.
  if (doc.y + height + 10 > bottomOf(doc) && height < bottomOf(doc) - margin) doc.addPage();
  const top = doc.y;
  doc
    .moveTo(margin, top)
    .lineTo(doc.page.width - margin, top)
    .lineWidth(0.5)
    .stroke(colours.hairline);
  return top + 5;
}

function numberPages(doc: Doc, footer: string): void {
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page);
    // Below the text margin, where writing would otherwise begin a new page.
    doc.page.margins.bottom = 0;
    doc.markContent("Artifact", { type: "Pagination" });
    doc.font(faces.text).fontSize(7.5).fillColor(colours.muted);
    doc.text(`${footer} · page ${page + 1} of ${count}`, margin, doc.page.height - margin, {
      width: doc.page.width - 2 * margin,
      lineBreak: false,
    });
    doc.endMarkedContent();
  }
}
