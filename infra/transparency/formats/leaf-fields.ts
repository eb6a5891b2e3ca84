import { type Bytes, textOf } from "./bytes.ts";

/** The first line of an event's leaf. The others are `name value`. */
export const leafVersion = "kith-and-copy/event@v1";

/** The lines of a leaf, by name. */
type LeafFields = ReadonlyMap<string, string>;

/** Reads an event's leaf; undefined for any other content. */
export function parseLeaf(content: Bytes): LeafFields | undefined {
  const lines = linesOf(content);
  if (lines?.[0] !== leafVersion || lines.at(-1) !== "") return undefined;
  const fields = lines.slice(1, -1).map((line) => /^(\w+) (.+)$/.exec(line));
  const byName = new Map(fields.flatMap((field) => (field ? [[field[1] ?? "", field[2] ?? ""]] : [])));
  // Each line is a field, and none appears twice.
  return byName.size === lines.length - 2 ? byName : undefined;
}

function linesOf(content: Bytes): string[] | undefined {
  try {
    return textOf(content).split("\n");
  } catch {
    // Not text.
    return undefined;
  }
}
