import { feePerCopyOf, groFees } from "../../../domain/pricing/fees.ts";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { type PricedService, priceListAt } from "../../../domain/pricing/price-list.ts";
import { londonDay } from "../../ui/dates.ts";

const names: Readonly<Record<PricedService, string>> = { standard: "Standard", priority: "Priority" };

/** What one copy costs and where the money goes, without a GRO reference, which is the dearer case for us. */
export function PriceTable() {
  const prices = priceListAt(new Date().toISOString()).unitPricePence.Birth;
  const columns = (["standard", "priority"] as const).map((level) => ({
    level,
    unitPricePence: prices[level],
    fee: feePerCopyOf(prices[level], level, false),
  }));
  const row = (name: string, figure: (column: (typeof columns)[number]) => string) => (
    <tr className="border-b border-hairline">
      <th scope="row" className="py-3 pr-4 text-left font-[400]">
        {name}
      </th>
      {columns.map((column) => (
        <td key={column.level} className="figures py-3 pl-4 text-right">
          {figure(column)}
        </td>
      ))}
    </tr>
  );
  return (
    <table className="mt-4 w-full max-w-measure">
      <caption className="pb-2 text-left text-14 text-muted">
        One full copy of any certificate. The search fee is what the GRO adds when you give no GRO reference.
        GRO fees checked on {londonDay(groFees.checkedOn)}.
      </caption>
      <thead>
        <tr className="border-b-2 border-ink">
          <td />
          {columns.map(({ level }) => (
            <th key={level} scope="col" className="py-2 pl-4 text-right font-[600]">
              {names[level]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {row("GRO fee", ({ fee }) => formatPounds(fee.groFeePence))}
        {row("GRO search fee", ({ fee }) => formatPounds(fee.groSearchFeePence))}
        {row("Our service: checking, submission, updates", ({ fee }) => formatPounds(fee.ourFeePence))}
        {row("Postage", () => "included")}
      </tbody>
      <tfoot>
        <tr className="font-[600]">
          <th scope="row" className="py-3 text-left">
            You pay
          </th>
          {columns.map(({ level, unitPricePence }) => (
            <td key={level} className="figures py-3 pl-4 text-right">
              {formatPounds(unitPricePence)}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}
