import type { CompanionRow } from "../event-store.ts";
import { byteaArray, int4Array, textArray, timestamptzArray, uuidArray } from "./binary-arrays.ts";

/** A table whose rows appends may take along, with the columns that each row gives, in order. */
export type CompanionTable = {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
};

type ColumnType = keyof typeof encoders;
type Value = CompanionRow[number];

const encoders = {
  uuid: (values: readonly Value[]) => uuidArray(values.map(uuidOf)),
  text: (values: readonly Value[]) => textArray(values.map(textOf)),
  integer: (values: readonly Value[]) => int4Array(values.map(numberOf)),
  bytea: (values: readonly Value[]) => byteaArray(values.map(bytesIn)),
  timestamptz: (values: readonly Value[]) => timestamptzArray(values.map(textOf)),
} as const;

/** Names of the columns, for an INSERT. */
export const namesOf = ({ columns }: CompanionTable, prefix = ""): string =>
  columns.map(([name]) => `${prefix}${name}`).join(", ");

/** Arrays of a statement's parameters, one for each column, numbered from `first`: for `unnest`. */
export const arraysOf = ({ columns }: CompanionTable, first: number): string =>
  columns.map(([, type], nth) => `$${first + nth}::${type}[]`).join(", ");

/** Their values, in binary. @throws TypeError for a value of another type than its column's */
export const arrayValues = ({ columns }: CompanionTable, rows: readonly CompanionRow[]): Buffer[] =>
  columns.map(([name, type], nth) =>
    encoders[type](
      rows.map((row) => {
        const value = row[nth];
        if (value === undefined || row.length !== columns.length)
          throw new TypeError(`A companion row has no value for ${name}, or too many.`);
        return value;
      }),
    ),
  );

/** As sent, roughly. */
export const bytesOf = (row: CompanionRow): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === "number" ? 4 : value.length), 0);

/** A UUID's 16 bytes. */
export const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll("-", ""), "hex");

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function uuidOf(value: Value): Buffer {
  const uuid = textOf(value);
  if (uuidPattern.test(uuid)) return uuidBytes(uuid);
  throw new TypeError("A companion row's value is not a UUID.");
}

function textOf(value: Value): string {
  if (typeof value === "string") return value;
  throw new TypeError("A companion row's value is not text.");
}

function numberOf(value: Value): number {
  if (typeof value === "number") return value;
  throw new TypeError("A companion row's value is not a number.");
}

function bytesIn(value: Value): Uint8Array {
  if (typeof value === "object") return value;
  throw new TypeError("A companion row's value is not bytes.");
}
