import type { Options } from "csv-stringify";

/**
 * How tables leave the house: RFC 4180, UTF-8 with a mark so that spreadsheets read Welsh letters, and no cell that a spreadsheet
 * would take for a formula.
 */
export const csvOptions = {
  header: true,
  bom: true,
  record_delimiter: "windows",
  escape_formulas: true,
  // Only the whole delimiter would be quoted, but a spreadsheet ends the line at half of it, and what follows begins a cell.
  quoted_match: /[\r\n]/,
} as const satisfies Options;
