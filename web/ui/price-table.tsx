import { formatPounds } from "../../domain/pricing/money.ts";
import {
  type FeePerCopy,
  feePerCopyOf,
  groFees,
  type PricedCertificate,
  type PricedService,
  type PriceList,
  pricedAlike,
} from "../../domain/pricing/price-list.ts";
import { londonDay } from "./dates.ts";

const names: Readonly<Record<PricedService, string>> = { standard: "Standard", priority: "Priority" };

interface PriceColumn {
  level: PricedService;
  unitPricePence: number;
  fee: FeePerCopy;
}

const columnsOf = (prices: Readonly<Record<PricedService, number>>): PriceColumn[] =>
  (["standard", "priority"] as const).map((level) => ({
    level,
    unitPricePence: prices[level],
    fee: feePerCopyOf(prices[level], level, false),
  }));

const either = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** 'any certificate', or 'a birth or death certificate' where types differ in price. */
const certificatesOf = (types: readonly PricedCertificate[]): string =>
  types.length === 4
    ? "any certificate"
    : `a ${either.format(types.map((type) => type.toLowerCase()))} certificate`;

/** The price tables of a list: one for each set of types that cost the same. */
export function PriceTables({ list }: { list: PriceList }) {
  return pricedAlike(list).map(({ types, prices }) => (
    <PriceTable key={types.join()} of={certificatesOf(types)} columns={columnsOf(prices)} />
  ));
}

/** What one copy costs and where the money goes, without a GRO reference, which is the dearer case for us. */
function PriceTable({ of, columns }: { of: string; columns: readonly PriceColumn[] }) {
  return (
    <table className="mt-4 w-full max-w-measure">
      <caption className="pb-2 text-left text-14 text-muted">
        One full copy of {of}. The GRO charges a search fee if you don’t give a GRO reference. GRO fees
        checked on {londonDay(groFees.checkedOn)}.
      </caption>
      <thead>
        <tr className="border-b-2 border-ink">
          <td />
          {columns.map(({ level }) => (
            <th key={level} scope="col" className="py-2 pl-1.5 text-right sm:pl-4 font-[600]">
              {names[level]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <PriceRow name="GRO fee" columns={columns} figure={({ fee }) => formatPounds(fee.groFeePence)} />
        <PriceRow
          name="GRO search fee"
          columns={columns}
          figure={({ fee }) => formatPounds(fee.groSearchFeePence)}
        />
        <PriceRow
          name="Our service: checking, submission, updates"
          columns={columns}
          figure={({ fee }) => formatPounds(fee.ourFeePence)}
        />
        <PriceRow name="Postage" columns={columns} figure={() => "included"} inWords />
      </tbody>
      <tfoot>
        <tr className="font-[600]">
          <th scope="row" className="py-3 text-left">
            You pay
          </th>
          {columns.map(({ level, unitPricePence }) => (
            <td key={level} className="figures py-3 pl-1.5 text-right sm:pl-4">
              {formatPounds(unitPricePence)}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}

interface PriceRowProps {
  name: string;
  columns: readonly PriceColumn[];
  figure: (column: PriceColumn) => string;
  /** In the letters of the page: those of figures are too wide for a word on a phone. */
  inWords?: boolean;
}

function PriceRow({ name, columns, figure, inWords = false }: PriceRowProps) {
  return (
    <tr className="border-b border-hairline">
      <th scope="row" className="py-3 pr-2 text-left hyphens-auto wrap-anywhere sm:pr-4 font-[400]">
        {name}
      </th>
      {columns.map((column) => (
        <td key={column.level} className={`${inWords ? "" : "figures "}py-3 pl-1.5 text-right sm:pl-4`}>
          {figure(column)}
        </td>
      ))}
    </tr>
  );
}
