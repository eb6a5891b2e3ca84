import { type ReferenceParts, shapeOf } from "../../domain/certificates/gro-reference/reference-parts.ts";

export const quarters = ["M", "J", "S", "D"] as const;

/** `Q1/1984`, or what there is of it. */
function registeredAs({ year, quarter }: ReferenceParts): string {
  const number = quarter === undefined ? "" : `Q${quarters.indexOf(quarter) + 1}`;
  return [number, year ?? ""].filter(Boolean).join("/");
}

const labelled = (label: string, value: string | undefined): string => (value ? `${label} ${value}` : "");

/** A reference as the index of its time writes it; parts that are not there are left out. */
export function writeGroReference(parts: ReferenceParts): string {
  const { year, quarter, district, districtNumber, volume, page, register, entry } = parts;
  const written =
    shapeOf(parts) === "volumeAndPage"
      ? [year, quarter, district, volume, page]
      : [
          registeredAs(parts),
          district,
          districtNumber && `(${districtNumber})`,
          labelled("Vol", volume),
          labelled("Page", page),
          labelled("Reg", register),
          labelled("Entry", entry),
        ];
  return written.filter(Boolean).join(" ");
}
