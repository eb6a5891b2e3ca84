/** Answers that are written once and used often. No parser here: the pages that fill one in need none. */

/** The variables of an answer, in words for its author. */
export const cannedVariables = {
  customerName: "the customer’s name",
  orderNumber: "the order number",
  status: "the order’s status, within a sentence",
  expectedDespatch: "the day by which despatch is expected",
  companyName: "our trading name",
} as const;
type CannedVariable = keyof typeof cannedVariables;

/** A title to find it by, and its text with `{{variables}}`. */
export interface CannedAnswer {
  readonly title: string;
  readonly text: string;
}

export type CannedValues = Partial<Readonly<Record<CannedVariable, string>>>;

/** A text, and the variables for which there was no value: they still stand in it. */
interface FilledAnswer {
  readonly text: string;
  readonly missing: readonly CannedVariable[];
}

const placeholder = /\{\{\s*(\w*)\s*\}\}/g;

const isVariable = (name: string): name is CannedVariable => Object.hasOwn(cannedVariables, name);

/** Fills in what is known. What a value holds is never read as a variable again. */
export function fillCannedAnswer(text: string, values: CannedValues): FilledAnswer {
  const missing = new Set<CannedVariable>();
  const filled = text.replace(placeholder, (written, name: string) => {
    if (!isVariable(name)) return written;
    const value = values[name];
    if (value !== undefined && value !== "") return value;
    missing.add(name);
    return written;
  });
  return { text: filled, missing: [...missing] };
}

/** The names in double braces that are no variables, such as a mistyped one. */
export const unknownVariables = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(placeholder)].map(([, name = ""]) => name).filter((name) => !isVariable(name)),
  ),
];
