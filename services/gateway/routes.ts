import { exportRegister } from "../compliance/export-register.ts";
import { listParked, retryParked } from "../compliance/parked-records.ts";
import * as compliance from "../compliance/registers.ts";
import * as customers from "../customers/customer-requests.ts";
import { showMe, signOutEverywhere, signOutHere } from "../identity/me.ts";
import { groNotice, paymentNotice } from "../orders/requests/notices.ts";
import * as commands from "../orders/requests/order-commands.ts";
import * as reads from "../orders/requests/order-reads.ts";
import { followOrder } from "../orders/requests/order-reads.ts";
import * as own from "../orders/requests/own-records.ts";
import { showDashboard } from "../orders/staff/requests/dashboard.ts";
import { orderActions } from "../orders/staff/requests/order-actions.ts";
import * as orderList from "../orders/staff/requests/order-list.ts";
import { showOrderPage, showTimeline } from "../orders/staff/requests/order-reads.ts";
import { printApplication, revealOrder } from "../orders/staff/requests/order-reveals.ts";
import * as settings from "../settings/setting-requests.ts";
import { prices, siteConfig } from "../settings/site-reads.ts";
import * as ticketChanges from "../tickets/requests/ticket-changes.ts";
import * as staffTickets from "../tickets/requests/tickets.ts";
import * as tickets from "../tickets/ticket-requests.ts";
import { followUpdates } from "./live/follow-updates.ts";
import type { RouteOf } from "./routing/route.ts";

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
