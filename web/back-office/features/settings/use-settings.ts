import useSWR from "swr";
import { showSettings, showSettingsHistory } from "../../../../contract/settings/settings.ts";
import { send } from "../../../api/send.ts";

export const useSettings = () => useSWR(showSettings.path, () => send(showSettings));

/** Newest first. */
export const useSettingsHistory = () =>
  useSWR(showSettingsHistory.path, async () => (await send(showSettingsHistory)).changes);
