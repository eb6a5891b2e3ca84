import useSWR from "swr";
import { showDashboard } from "../../contract/back-office/overview.ts";
import { send } from "../api/send.ts";

/** What waits, how things go, and whether everything runs; the figures of so many days. Null asks for nothing. */
export const useDashboard = (days: number | null) =>
  useSWR(
    days === null ? null : [showDashboard.path, days],
    () => send(showDashboard, { query: `days=${days}` }),
    { revalidateIfStale: true, keepPreviousData: true },
  );
