import useSWR from "swr";
import { listParked, showAudit } from "../../../../contract/compliance/audit.ts";
import { listDuePurges, showProcessing, showRetention } from "../../../../contract/compliance/records.ts";
import { listLooks, listPurges } from "../../../../contract/compliance/registers.ts";
import { send } from "../../../api/send.ts";

const pageByPage = { revalidateIfStale: true, keepPreviousData: true };

/** A page of the purge register; the previous page stays while the next loads. */
export const usePurges = (query: string) =>
  useSWR(
    [listPurges.path, query],
    async () => ({ ...(await send(listPurges, { query })), query }),
    pageByPage,
  );

/** A page of the access log; the previous page stays while the next loads. */
export const useLooks = (query: string) =>
  useSWR([listLooks.path, query], async () => ({ ...(await send(listLooks, { query })), query }), pageByPage);

/** Data to be destroyed, longest overdue first. */
export const useDuePurges = () =>
  useSWR(listDuePurges.path, async () => (await send(listDuePurges)).due, { revalidateIfStale: true });

export const useRetention = () => useSWR(showRetention.path, async () => (await send(showRetention)).lines);

export const useProcessing = () => useSWR(showProcessing.path, () => send(showProcessing));

/** Audit status, reloaded every second during an audit. */
export const useAudit = () =>
  useSWR(showAudit.path, () => send(showAudit), {
    revalidateIfStale: true,
    refreshInterval: (latest) => (latest?.running === null || latest === undefined ? 0 : 1_000),
  });

/** Parked records, longest first, reloaded every second during a retry. */
export const useParked = () =>
  useSWR(listParked.path, async () => (await send(listParked)).parked, {
    revalidateIfStale: true,
    refreshInterval: (latest) => (latest?.some(({ isAsked }) => isAsked) ? 1_000 : 0),
  });
