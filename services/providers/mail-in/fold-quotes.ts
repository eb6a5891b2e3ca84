/** What its author wrote, and what their program added: the mail answered, and a signature. */
export type Folded = { readonly text: string; readonly quoted: string };

/**
 * Folds quotes and signature away. Reads lines, each once, and knows no sentences of any language but the few that
 * telephones sign with: "On … wrote:", "Am … schrieb:", "Ar … ysgrifennodd:" are lines that end in a colon above a
 * quote.
 */
export function foldQuotes(given: string): Folded {
  const lines = given.replace(/\r\n?/g, "\n").split("\n");
  const from = Math.min(copiedMailOf(lines), lines.length);
  const answer = lines.slice(0, from);
  const quotes = runsOfQuotes(answer);
  const folded = lines.map((_, index) => index >= from);
  const last = quotes.at(-1);
  // Several quotes with answers between them stay: the answers make no sense without.
  const folds = quotes.length === 1 || (last !== undefined && isBlank(answer.slice(last.end)));
  if (last !== undefined && folds) {
    for (let line = attributionOf(answer, last.start); line < last.end; line += 1) folded[line] = true;
  }
  for (let line = signatureOf(lines, folded); line < lines.length; line += 1) folded[line] = true;
  const kept = (wanted: boolean) => tidy(lines.filter((_, index) => folded[index] === wanted));
  const text = kept(false);
  // A mail that is nothing but a quote is shown as it is.
  return text === "" ? { text: tidy(lines), quoted: "" } : { text, quoted: kept(true) };
}

const isBlank = (lines: readonly string[]): boolean => lines.every((line) => line.trim() === "");

const tidy = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();

/** Long lines are text: no rule needs more of one. */
const head = (line: string): string => line.slice(0, 200).trim();

type Run = { readonly start: number; readonly end: number };

/** Lines that begin with ">", with the blank lines between them. */
function runsOfQuotes(lines: readonly string[]): Run[] {
  const runs: { start: number; end: number }[] = [];
  lines.forEach((line, index) => {
    if (!line.startsWith(">")) return;
    const last = runs.at(-1);
    if (last !== undefined && isBlank(lines.slice(last.end, index))) last.end = index + 1;
    else runs.push({ start: index, end: index + 1 });
  });
  return runs;
}

/** Where the words above a quote begin that name its author: at most three lines, the last with a colon at its end. */
function attributionOf(lines: readonly string[], quote: number): number {
  let line = quote - 1;
  if (line > 0 && isBlank([lines[line] ?? ""])) line -= 1;
  if (!head(lines[line] ?? "").endsWith(":")) return quote;
  const first = Math.max(0, line - 2);
  while (line > first && !isBlank([lines[line - 1] ?? ""])) line -= 1;
  return line;
}

const rule = /^[-_]{5,}$/;
const title = /^\s?\S.{0,60}\s?$/s;
/** From, Date, To, Subject in any language: "Von:", "De :", "Oddi wrth:". */
const field = /^\*?\p{L}[\p{L} ]{0,20}\*?\s?:\*?\s?\S/u;

/** When a mail was sent: "27 November 2026 10:12", "27. november 2026 10.12"; not a date such as "03.05.1952". */
const year = /(?<!\d)\d{4}(?!\d)/;
const clock = /(?<![\d.])\d{1,2}[:.]\d{2}(?!\d|\.\d)/;

/**
 * The line from which on another mail is copied without ">": three or more lines of headers below a rule, as
 * "-----Original Message-----", or four or more of which one has an address and one says when the mail was sent: people
 * list their own particulars too. Beyond the last line if there is none.
 */
function copiedMailOf(lines: readonly string[]): number {
  const found = lines.findIndex((line, index) => {
    if (isDivider(head(line))) return headersFrom(lines, index + 1) >= 3;
    if (headersFrom(lines, index) < 4) return false;
    const headers = lines.slice(index, index + 4).map(head);
    const sent = headers.some((each) => year.test(each) && clock.test(each));
    return sent && headers.some((each) => each.includes("@"));
  });
  return found === -1 ? lines.length : found;
}

/**
 * A rule, or a title between dashes: "-----Original Message-----". The dashes are counted first: one expression for all
 * of it tries each way to share them out, which took 2 ms for a line of 200.
 */
export function isDivider(line: string): boolean {
  if (rule.test(line)) return true;
  let start = 0;
  while (isDash(line[start])) start += 1;
  let end = line.length;
  while (end > start && isDash(line[end - 1])) end -= 1;
  const after = line.length - end;
  if (start < 2 || after < 2) return false;
  // A third dash on either side may be the title's.
  return (
    title.test(line.slice(start, end)) ||
    (start > 2 && title.test(line.slice(start - 1, end))) ||
    (after > 2 && title.test(line.slice(start, end + 1)))
  );
}

const isDash = (character: string | undefined): boolean => character === "-" || character === "_";

function headersFrom(lines: readonly string[], start: number): number {
  let line = start;
  if (isBlank([lines[line] ?? ""])) line += 1;
  let count = 0;
  while (count < 6 && field.test(head(lines[line + count] ?? ""))) count += 1;
  return count;
}

const phones =
  /^(sent from (my|outlook)|get outlook for|von meinem .{1,40} gesendet|gesendet (von|mit)|envoyé (de|depuis|à partir)|télécharger outlook|wysłan[eo] z|anfonwyd o)/i;
const longestSignature = 15;

/** The line from which on the last lines, folded ones apart, are a signature (RFC 3676, 4.3); beyond the end if none. */
function signatureOf(lines: readonly string[], folded: readonly boolean[]): number {
  let seen = 0;
  for (let index = lines.length - 1; index >= 0 && seen <= longestSignature; index -= 1) {
    if (folded[index] === true) continue;
    const line = lines[index] ?? "";
    if (/^-- ?$/.test(line) || phones.test(head(line))) return index;
    if (line.trim() !== "") seen += 1;
  }
  return lines.length;
}
