import useSWR from "swr";
import { listParked, showAudit } from "../../../../contract/compliance/audit.ts";
import { send } from "../../../api/send.ts";

/** How the audit stands; asked for again every second while one is under way. */
export const useAudit = () =>
  useSWR(showAudit.path, () => send(showAudit), {
    revalidateIfStale: true,
    refreshInterval: (latest) => (latest?.running === null || latest === undefined ? 0 : 1_000),
  });

/** What is parked, the longest first; asked for again every second while something is about to be tried. */
export const useParked = () =>
  useSWR(listParked.path, async () => (await send(listParked)).parked, {
    revalidateIfStale: true,
    refreshInterval: (latest) => (latest?.some(({ isAsked }) => isAsked) ? 1_000 : 0),
  });
