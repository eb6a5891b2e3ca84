import type { RefObject } from "react";
import type { Shortcut } from "../layout/use-keys.ts";
import { type Selection, toggled } from "./row-selection.tsx";

/** `j` and `k` move between the rows of a table, `x` selects the one that has the focus. Enter is the row's own. */
export function rowKeys(
  table: RefObject<HTMLTableElement | null>,
  selection: Selection | undefined,
): readonly Shortcut[] {
  const rows = (): HTMLElement[] => [
    ...(table.current?.querySelectorAll<HTMLElement>("tbody tr[data-row]") ?? []),
  ];
  const current = (): number => rows().findIndex((row) => row.contains(document.activeElement));
  const move = (by: 1 | -1): void => {
    const all = rows();
    const at = current();
    const row = at < 0 ? all.at(by === 1 ? 0 : -1) : all[at + by];
    row?.focus();
    row?.scrollIntoView({ block: "nearest" });
  };
  const select = (): void => {
    const key = rows()[current()]?.dataset.row;
    if (selection && key !== undefined) selection.onChange(toggled(selection.selected, key));
  };
  return [
    { key: "j", words: "Next row", run: () => move(1) },
    { key: "k", words: "Row before", run: () => move(-1) },
    ...(selection ? [{ key: "x", words: "Select the row", run: select }] : []),
  ];
}
