import { useEffect, useRef } from "react";

/** Which rows of a table are selected, by key. */
export interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
}

/** The same selection with one row turned. */
export function toggled(selected: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** The box that selects one row. */
export function SelectOne({ rowKey, selection }: { rowKey: string; selection: Selection }) {
  return (
    <input
      type="checkbox"
      className="small-mark"
      aria-label={`Select ${rowKey}`}
      checked={selection.selected.has(rowKey)}
      onChange={() => selection.onChange(toggled(selection.selected, rowKey))}
    />
  );
}

/** The box that selects all rows shown, or none. */
export function SelectAll({ keys, selection }: { keys: readonly string[]; selection: Selection }) {
  const box = useRef<HTMLInputElement>(null);
  const chosen = keys.filter((key) => selection.selected.has(key)).length;
  const all = keys.length > 0 && chosen === keys.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosen > 0 && !all;
  }, [chosen, all]);
  return (
    <input
      ref={box}
      type="checkbox"
      className="small-mark"
      aria-label="Select all rows shown"
      checked={all}
      disabled={keys.length === 0}
      onChange={() => selection.onChange(new Set(all ? [] : keys))}
    />
  );
}
