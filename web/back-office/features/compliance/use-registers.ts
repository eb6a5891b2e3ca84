import useSWR from "swr";
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
