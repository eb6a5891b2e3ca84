import type { Queries } from "../../projections/queries.ts";
import type { Desk } from "../commands/desk.ts";
import type { Automation } from "../submission/automation.ts";
import type { Finder } from "../vault/finding.ts";
import type { LiveOrders } from "./live/live-orders.ts";
import type { OrderAccess } from "./order-access.ts";
import type { SiteSettings } from "./presenters/site-config.ts";
import type { WaitFor } from "./read-after.ts";
import type { TicketLinks } from "./ticket-links.ts";

/** What the handlers work with. */
export type Parts = {
  readonly desk: Desk;
  readonly automation: Pick<Automation, "readNotice">;
  readonly queries: Queries;
  readonly waitFor: WaitFor;
  readonly access: OrderAccess;
  readonly ticketLinks: TicketLinks;
  readonly finder: Finder;
  readonly live: LiveOrders;
  readonly site: SiteSettings;
};
