import { type FieldTable, isDate } from "../../domain/certificates/certificate.ts";
import type { DateRule } from "../../domain/forms/event-date.ts";

const sampleDate = { day: "1", month: "May", year: "1950" };

type Sample<Rule> = Rule extends DateRule ? typeof sampleDate : string;
type Samples<Fields extends FieldTable> = { [Name in keyof Fields]: Sample<Fields[Name]["rule"]> };

/** An answer to each question, as typed: a fixture sets only the answers it tests. */
export function sampleAnswers<Fields extends FieldTable>(fields: Fields): Samples<Fields>;
export function sampleAnswers(fields: FieldTable): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { rule, optional, answeredBy, start }]) => {
      if (isDate(rule)) return [name, { ...sampleDate }];
      return [name, start ?? (optional ? "" : answeredBy ? "no" : "Sample")];
    }),
  );
}
