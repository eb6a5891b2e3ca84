import { WrongCommand } from "../infra/process/operator-error.ts";
import { ordersProjection } from "./orders/orders.ts";
import { accessLog } from "./registers/access-log.ts";
import { purgeRegister } from "./registers/purge-register.ts";
import { type CataloguedProjection, catalogued } from "./runner/catalogued-projection.ts";
import type { VersionKey } from "./runner/version-uses.ts";
import { ticketList } from "./tickets/ticket-list.ts";
import { ticketLookup } from "./tickets/ticket-lookup.ts";

/** All read models, in this build's versions. */
export const catalogue: readonly CataloguedProjection[] = [
  catalogued(ordersProjection),
  catalogued(ticketLookup),
  catalogued(purgeRegister),
  catalogued(accessLog),
  catalogued(ticketList),
];

/** Read models of earlier releases that have been replaced. Versions below these can be dropped. */
export const retired: readonly VersionKey[] = [
  { name: "order-lookup", version: 10 },
  { name: "order-list", version: 8 },
];

/** One of some read models by name, or all when none is given. @throws WrongCommand for an unknown name */
export function chosenFrom<Entry extends VersionKey>(
  entries: readonly Entry[],
  name: string | undefined,
): readonly Entry[] {
  const chosen = name === undefined ? entries : entries.filter((entry) => entry.name === name);
  if (chosen.length > 0) return chosen;
  const known = entries.map((entry) => entry.name).join(", ");
  throw new WrongCommand(
    `There is no projection named ${name}: choose from ${known}, or give no name for all.`,
  );
}
