import { ArrowDown, ArrowUp } from "lucide-react";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
} from "react";
import { Link, useNavigate } from "react-router-dom";
import { type Shortcut, useKeys } from "../../layout/shortcuts.tsx";
import { NotLoaded, Skeleton } from "../page-parts.tsx";

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** For figures. */
  readonly align?: "end";
  /** Makes the header a button that sorts by this key. */
  readonly sortKey?: string;
}

export interface Sort {
  readonly key: string;
  readonly direction: "asc" | "desc";
  readonly onSort: (key: string, direction: "asc" | "desc") => void;
}

/** Rows beside each other that share a key stand under a heading. */
interface Groups<Row> {
  /** Null for a row that stands alone. */
  readonly keyOf: (row: Row) => string | null;
  readonly heading: (rows: readonly Row[]) => ReactNode;
}

/** An error comes with its cause, which the table explains. */
type LoadState =
  | { readonly state: "loading" | "ready"; readonly failure?: unknown }
  | { readonly state: "error"; readonly failure: unknown };

type DataTableProps<Row> = LoadState & {
  /** For screen readers only. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Link of a row, in its first cell. */
  readonly hrefOf?: ((row: Row) => string) | undefined;
  readonly selection?: Selection | undefined;
  readonly groups?: Groups<Row> | undefined;
  readonly sort?: Sort | undefined;
  /** True while rows of an earlier query are shown. */
  readonly outdated?: boolean | undefined;
  /** Shown when there are no rows. */
  readonly empty: ReactNode;
  readonly onRetry?: (() => void) | undefined;
};

/** A dense table with a sticky header: `j`/`k` move between rows, Enter opens, `x` selects; cards on a phone. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, selection, state, outdated = false } = props;
  const table = useRef<HTMLTableElement>(null);
  useKeys(rowKeys(table, selection));
  const width = columns.length + (selection ? 1 : 0);
  const bodies = state === "ready" ? bodiesOf(rows, props.groups) : [];
  return (
    <table ref={table} className="data-table" data-rows aria-busy={state === "loading" || outdated}>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {selection && (
            <th scope="col" className="md:w-8" data-header="Select all">
              <SelectAll keys={rows.map(keyOf)} selection={selection} />
            </th>
          )}
          {columns.map((column) => (
            <Header key={column.key} column={column} sort={props.sort} />
          ))}
        </tr>
      </thead>
      {bodies.map(({ key, heading, rows: inBody }) => (
        <tbody key={key} data-group={heading !== undefined}>
          {heading !== undefined && (
            <tr>
              <th scope="rowgroup" colSpan={width}>
                {heading}
              </th>
            </tr>
          )}
          {inBody.map((row) => (
            <TableRow key={keyOf(row)} row={row} table={props} />
          ))}
        </tbody>
      ))}
      {bodies.length === 0 && (
        <tbody>
          <tr>
            <td colSpan={width}>
              <InPlaceOfRows {...props} />
            </td>
          </tr>
        </tbody>
      )}
    </table>
  );
}

interface Body<Row> {
  readonly key: string;
  readonly heading?: ReactNode;
  readonly rows: readonly Row[];
}

/** A body for each group, and for the rows between two of them. */
function bodiesOf<Row>(rows: readonly Row[], groups: Groups<Row> | undefined): Body<Row>[] {
  const runs: { group: string | null; rows: Row[] }[] = [];
  for (const row of rows) {
    const group = groups?.keyOf(row) ?? null;
    const last = runs.at(-1);
    if (last && last.group === group) last.rows.push(row);
    else runs.push({ group, rows: [row] });
  }
  return runs.map(({ group, rows }, nth) => ({
    key: group ?? `${nth}`,
    rows,
    ...(group !== null && rows.length > 1 && { heading: groups?.heading(rows) }),
  }));
}

function Header<Row>({ column, sort }: { column: Column<Row>; sort: Sort | undefined }) {
  const { header, align, sortKey } = column;
  if (!sort || sortKey === undefined) {
    return (
      <th scope="col" data-align={align}>
        {header}
      </th>
    );
  }
  const sorted = sort.key === sortKey ? sort.direction : undefined;
  const Arrow = sorted === "asc" ? ArrowUp : ArrowDown;
  return (
    <th scope="col" data-align={align} aria-sort={sorted && (sorted === "asc" ? "ascending" : "descending")}>
      <button
        type="button"
        className="sort-button"
        onClick={() => sort.onSort(sortKey, sorted === "desc" ? "asc" : "desc")}
      >
        {header}
        <Arrow
          aria-hidden="true"
          strokeWidth={1.75}
          className={`size-3.5 ${sorted ? "text-primary" : "opacity-0"}`}
        />
      </button>
    </th>
  );
}

function TableRow<Row>({ row, table }: { row: Row; table: DataTableProps<Row> }) {
  const { columns, keyOf, hrefOf, selection } = table;
  const navigate = useNavigate();
  const key = keyOf(row);
  const href = hrefOf?.(row);
  const open = (event: MouseEvent | KeyboardEvent): void => {
    if (href !== undefined && isForRow(event)) void navigate(href);
  };
  return (
    <tr
      tabIndex={-1}
      data-row={key}
      data-opens={href !== undefined}
      data-selected={selection?.selected.has(key) ?? false}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key === "Enter" && event.target === event.currentTarget) open(event);
      }}
    >
      {selection && (
        <td data-header="Select">
          <SelectOne rowKey={key} selection={selection} />
        </td>
      )}
      {columns.map(({ key: column, header, cell, align }, at) => (
        <td key={column} data-align={align} data-header={header}>
          {at === 0 && href !== undefined ? (
            <Link className="link" to={href}>
              {cell(row)}
            </Link>
          ) : (
            <div>{cell(row)}</div>
          )}
        </td>
      ))}
    </tr>
  );
}

/** False for clicks on a control in the row, for a new tab, or to select text. */
function isForRow(event: MouseEvent | KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return false;
  if (event.target instanceof Element && event.target.closest("a, button, input, select, label, summary"))
    return false;
  return (getSelection()?.toString() ?? "") === "";
}

function InPlaceOfRows<Row>({ state, caption, empty, failure, onRetry }: DataTableProps<Row>) {
  if (state === "ready") return <>{empty}</>;
  if (state === "loading") return <Skeleton lines={8} label={`Loading: ${caption}`} />;
  return <NotLoaded what="This list" failure={failure} onRetry={onRetry} />;
}

/** `j` and `k` move between rows, `x` selects the focused one. The row itself handles Enter. */
function rowKeys(
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
    { key: "k", words: "Previous row", run: () => move(-1) },
    ...(selection ? [{ key: "x", words: "Select row", run: select }] : []),
  ];
}

/** Selected rows of a table, by key. */
interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
}

/** The selection with one row toggled. */
function toggled(selected: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(key)) next.add(key);
  return next;
}

function SelectOne({ rowKey, selection }: { rowKey: string; selection: Selection }) {
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

/** Selects all rows shown, or none. */
function SelectAll({ keys, selection }: { keys: readonly string[]; selection: Selection }) {
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
