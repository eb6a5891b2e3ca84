import useSWR from "swr";
import { listParked, showAudit } from "../../../../contract/compliance/audit.ts";
import { listDuePurges, showProcessing, showRetention } from "../../../../contract/compliance/records.ts";
import { listLooks, listPurges } from "../../../../contract/compliance/registers.ts";
import { send } from "../../../api/send.ts";

const pageByPage = { revalidateIfStale: true, keepPreviousData: true };

/** A page of the register of purges; the one before stays while the next is on its way. */
export const usePurges = (query: string) =>
  useSWR(
    [listPurges.path, query],
    async () => ({ ...(await send(listPurges, { query })), query }),
    pageByPage,
  );

/** A page of the log of looks; the one before stays while the next is on its way. */
export const useLooks = (query: string) =>
  useSWR([listLooks.path, query], async () => ({ ...(await send(listLooks, { query })), query }), pageByPage);

/** What is to be destroyed, what has been due longest first. */
export const useDuePurges = () =>
  useSWR(listDuePurges.path, async () => (await send(listDuePurges)).due, { revalidateIfStale: true });

export const useRetention = () => useSWR(showRetention.path, async () => (await send(showRetention)).lines);

export const useProcessing = () => useSWR(showProcessing.path, () => send(showProcessing));

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
