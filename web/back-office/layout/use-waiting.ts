import useSWR from "swr";
import { type Dashboard, showDashboard } from "../../../contract/back-office/overview.ts";
import { send } from "../../api/send.ts";
import { useSubmittedByHand } from "../../site/config.ts";
import { isCalm } from "../ui/queue-words.ts";
import { useCalmUpdates } from "../use-updates.ts";

interface Count {
  readonly count: number;
  /** True when the count is capped. */
  readonly more: boolean;
  /** Unit of the count, for screen readers. */
  readonly words: string;
}

/** Counts of pending work. */
export interface Waiting {
  readonly orders: Count;
  readonly tickets: Count;
}

const refreshEveryMs = 5_000;
/** Long overdue orders are counted among the overdue ones. */
const countedElsewhere: readonly string[] = ["longOverdue"];

/** Live counts of pending work; undefined while loading and for roles without the dashboard. */
export function useWaiting(isForMe: boolean): Waiting | undefined {
  const byHand = useSubmittedByHand();
  const { data, mutate } = useDashboard(isForMe ? 30 : null);
  useCalmUpdates(["orders", "tickets"], () => void mutate(), refreshEveryMs);
  return data && waitingIn(data, byHand);
}

/** Sums the dashboard's queues: an order in two queues counts as two tasks. */
export function waitingIn(
  { queues, tickets }: Pick<Dashboard, "queues" | "tickets">,
  submittedByHand = false,
): Waiting {
  const urgent = queues.filter(
    ({ queue }) => !isCalm(queue, submittedByHand) && !countedElsewhere.includes(queue),
  );
  const count = urgent.reduce((sum, queue) => sum + queue.count, 0);
  return {
    orders: {
      count,
      more: urgent.some(({ more }) => more),
      words: count === 1 ? "pending task" : "pending tasks",
    },
    tickets: { count: tickets.open, more: false, words: "to answer" },
  };
}

/** The dashboard with the figures of the last `days`; null requests nothing. */
export const useDashboard = (days: number | null) =>
  useSWR(
    days === null ? null : [showDashboard.path, days],
    () => send(showDashboard, { query: `days=${days}` }),
    { revalidateIfStale: true, keepPreviousData: true },
  );
