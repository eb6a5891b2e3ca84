import { type Options, stringify } from "csv-stringify";

/**
 * Format of exported tables: RFC 4180, UTF-8 with a byte order mark so spreadsheets read Welsh letters, and no cell
 * that a spreadsheet would take for a formula.
 */
export const csvOptions = {
  header: true,
  bom: true,
  record_delimiter: "windows",
  escape_formulas: true,
  // By default only a comma or a whole line end is quoted. Spreadsheets also end a line at half of it, and a cell at a
  // semicolon or tab: the rest would begin a cell.
  quoted_match: /[\r\n;\t]/,
} as const satisfies Options;

/** Writes a table as a stream, row by row. */
export const csvWriter = (names: readonly string[]) =>
  stringify({
    ...csvOptions,
    columns: [...names],
    // The library turns booleans into 1 or nothing.
    cast: { boolean: String },
  });
