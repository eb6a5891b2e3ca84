import * as compliance from "./admin-handlers/compliance.ts";
import { exportRegister } from "./admin-handlers/compliance-export.ts";
import * as customers from "./admin-handlers/customers.ts";
import { showDashboard } from "./admin-handlers/dashboard.ts";
import { orderActions } from "./admin-handlers/order-actions.ts";
import * as orderList from "./admin-handlers/order-list.ts";
import { showOrderPage, showTimeline } from "./admin-handlers/order-reads.ts";
import { printApplication, revealOrder } from "./admin-handlers/order-reveals.ts";
import { listParked, retryParked } from "./admin-handlers/parked-records.ts";
import * as settings from "./admin-handlers/settings.ts";
import * as ticketChanges from "./admin-handlers/ticket-changes.ts";
import * as staffTickets from "./admin-handlers/tickets.ts";
import { followOrder } from "./handlers/live-order.ts";
import { showMe, signOutEverywhere, signOutHere } from "./handlers/me.ts";
import { groNotice, paymentNotice } from "./handlers/notices.ts";
import * as commands from "./handlers/order-commands.ts";
import * as reads from "./handlers/order-reads.ts";
import * as own from "./handlers/own-records.ts";
import { prices, siteConfig } from "./handlers/site-reads.ts";
import * as tickets from "./handlers/tickets.ts";
import { followUpdates } from "./handlers/updates.ts";
import type { RouteOf } from "./route.ts";

/** Every request that the API answers, in the order of its document. */
export const apiRoutes: readonly RouteOf[] = [
  siteConfig,
  prices,

  commands.openOrder,
  commands.chooseVariant,
  commands.createPaymentIntent,
  commands.reportPaid,
  commands.submitOrder,
  commands.cancel,
  reads.lookUpContact,
  followOrder,
  reads.lookUp,
  reads.enterByLink,
  own.changeApplication,
  own.showApplication,
  own.changeContact,
  own.showContact,
  reads.showOrder,

  tickets.openSupportTicket,
  tickets.viewTicket,
  tickets.replyInTicket,
  tickets.replaceTicketLink,

  showMe,
  signOutHere,
  signOutEverywhere,

  compliance.listPurges,
  compliance.showDuePurges,
  compliance.listLooks,
  compliance.showAudit,
  compliance.startAudit,
  listParked,
  retryParked,
  compliance.showRetention,
  compliance.showProcessing,
  exportRegister,

  customers.searchForCustomers,
  customers.showCustomer,
  customers.showWhoItIs,
  customers.exportCustomer,
  customers.eraseForCustomer,

  showDashboard,

  orderList.listOrders,
  orderList.searchOrders,
  orderList.exportOrders,
  orderList.actOnOrders,
  showOrderPage,
  showTimeline,
  revealOrder,
  printApplication,
  ...orderActions,

  settings.showSettings,
  settings.showSettingsHistory,
  settings.showCannedAnswers,
  ...settings.settingChanges,

  staffTickets.listTickets,
  staffTickets.openTicketForStaff,
  staffTickets.replyAsStaff,
  staffTickets.noteAsStaff,
  ticketChanges.assignTicket,
  ticketChanges.changeTicketStatus,
  ticketChanges.linkTicketToOrder,
  ticketChanges.replaceLinkAsStaff,
  ticketChanges.acknowledgeTicket,

  followUpdates,

  paymentNotice,
  groNotice,
];
