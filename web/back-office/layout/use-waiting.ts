import useSWR from "swr";
import { type Dashboard, showDashboard } from "../../../contract/back-office/overview.ts";
import { send } from "../../api/send.ts";
import { useSubmittedByHand } from "../../site/config.ts";
import { isCalm } from "../ui/queue-words.ts";
import { useCalmUpdates } from "../use-updates.ts";

interface Count {
  readonly count: number;
  /** There are more than counted. */
  readonly more: boolean;
  /** What is counted, for who only hears it. */
  readonly words: string;
}

/** What waits for somebody here. */
export interface Waiting {
  readonly orders: Count;
  readonly tickets: Count;
}

const refreshEveryMs = 5_000;
/** Those past the promise for 60 days are among those past it. */
const countedElsewhere: readonly string[] = ["longOverdue"];

/** What waits, kept up to date; undefined until it is known, and for whom the dashboard is not for. */
export function useWaiting(isForMe: boolean): Waiting | undefined {
  const byHand = useSubmittedByHand();
  const { data, mutate } = useDashboard(isForMe ? 30 : null);
  useCalmUpdates(["orders", "tickets"], () => void mutate(), refreshEveryMs);
  return data && waitingIn(data, byHand);
}

/** Adds up what the dashboard shows: an order that waits for two things is two tasks. */
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
      words: count === 1 ? "task waits" : "tasks wait",
    },
    tickets: { count: tickets.open, more: false, words: "to answer" },
  };
}

/** What waits, how things go, and whether everything runs; the figures of so many days. Null asks for nothing. */
export const useDashboard = (days: number | null) =>
  useSWR(
    days === null ? null : [showDashboard.path, days],
    () => send(showDashboard, { query: `days=${days}` }),
    { revalidateIfStale: true, keepPreviousData: true },
  );
