import type { Settings } from "../../../../../contract/settings/settings.ts";
import { certificateTypes as types } from "../../../../../domain/forms/options.ts";
import { formatPounds } from "../../../../../domain/pricing/money.ts";
import { PriceTables } from "../../../../ui/price-table.tsx";
import { Empty, Panel } from "../../../ui/page-parts.tsx";
import { type Column, DataTable } from "../../../ui/tables/data-table.tsx";
import type { ViewProps } from "../proposals.tsx";
import { dayWords } from "../setting-history.tsx";
import { NewPrices } from "./new-prices.tsx";

type List = Settings["prices"][number];

const stateWords = { past: "past", inForce: "in force", scheduled: "scheduled" } as const;

/** Price lists: past, in force and scheduled. */
export function PricesView({ settings, propose }: ViewProps) {
  const inForce = settings.prices.find(({ state }) => state === "inForce");
  return (
    <div className="flex flex-col gap-8">
      <Lists settings={settings} propose={propose} />
      {inForce && (
        <details className="-mt-5">
          <summary className="link inline-flex min-h-8 cursor-pointer items-center">
            What customers see today
          </summary>
          <PriceTables list={inForce} />
        </details>
      )}
      <NewPrices settings={settings} propose={propose} />
    </div>
  );
}

function Lists({ settings, propose }: ViewProps) {
  const withdraw = (list: List): void =>
    propose({
      title: `Withdraw the prices for ${dayWords(list.effectiveFrom)}?`,
      whatHappens: "They will not come into force. The previous prices stay in force.",
      confirmLabel: "Withdraw",
      danger: true,
      change: { path: "prices/withdraw", body: { version: list.version } },
      seen: settings.revision,
      done: `The prices for ${dayWords(list.effectiveFrom)} have been withdrawn.`,
      undo: () => ({
        path: "prices",
        body: { effectiveFrom: list.effectiveFrom, unitPricePence: list.unitPricePence },
      }),
    });
  return (
    <Panel title="Price lists">
      <DataTable
        caption="Price lists"
        columns={columnsWith(withdraw)}
        rows={settings.prices.toReversed()}
        keyOf={({ version }) => String(version)}
        state="ready"
        empty={<Empty title="There are no price lists." />}
      />
    </Panel>
  );
}

const columnsWith = (withdraw: (list: List) => void): readonly Column<List>[] => [
  { key: "from", header: "From", cell: ({ effectiveFrom }) => dayWords(effectiveFrom) },
  {
    key: "state",
    header: "State",
    cell: ({ state }) => <span className={state === "inForce" ? "font-[600]" : ""}>{stateWords[state]}</span>,
  },
  ...types.map((type) => ({
    key: type,
    header: type,
    align: "end" as const,
    cell: ({ unitPricePence }: List) => (
      <span className="flex flex-col">
        <span>{formatPounds(unitPricePence[type].standard)}</span>
        <span className="text-muted">
          <span className="sr-only">priority </span>
          {formatPounds(unitPricePence[type].priority)}
        </span>
      </span>
    ),
  })),
  {
    key: "withdraw",
    header: "Action",
    cell: (list) =>
      list.state === "scheduled" ? (
        <button type="button" className="button button-dense button-danger" onClick={() => withdraw(list)}>
          Withdraw
          <span className="sr-only"> the prices for {dayWords(list.effectiveFrom)}</span>
        </button>
      ) : (
        <span className="text-muted">–</span>
      ),
  },
];
