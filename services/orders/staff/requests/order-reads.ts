import * as contract from "../../../../contract/staff-orders/order-page.ts";
import * as timeline from "../../../../contract/staff-orders/order-page.ts";
import { notFound } from "../../../gateway/errors/problem.ts";
import { staffRoute } from "../../../gateway/routing/route.ts";
import { presentOrderPage } from "../page/order-page.ts";
import { presentStateAt, presentTimeline } from "../page/timeline.ts";
import { namesIn, orderOf } from "./order-of.ts";

export const showOrderPage = staffRoute(contract.showOrderPage, (parts) => async (call) => {
  const { history, now } = await orderOf(parts, call);
  const jobs = await parts.orderJobs(now.order);
  const seen = { at: parts.deps.now().toISOString(), by: call.by, nameOf: await namesIn(parts, history) };
  return { body: presentOrderPage(history, now, jobs, seen) };
});

/** With ?at=, the order right after the event of that revision. */
export const showTimeline = staffRoute(timeline.showTimeline, (parts) => async (call) => {
  const { at } = call.body;
  const { history } = await orderOf(parts, call);
  if (at === undefined) return { body: presentTimeline(history, await namesIn(parts, history)) };
  const past = history[at];
  if (!past) throw notFound();
  return { body: presentStateAt(past, history[at - 1]) };
});
