import useSWR from "swr";
import type { ApiRequest, Sent } from "../../../../contract/request.ts";
import { settingChanges } from "../../../../contract/settings/changes.ts";
import { type Settings, showSettings, showSettingsHistory } from "../../../../contract/settings/settings.ts";
import { request } from "../../../api/request.ts";
import { answerIn, send } from "../../../api/send.ts";

export const useSettings = () => useSWR(showSettings.path, () => send(showSettings));

/** Newest first. */
export const useSettingsHistory = () =>
  useSWR(showSettingsHistory.path, async () => (await send(showSettingsHistory)).changes);

type Change<R extends ApiRequest> = R extends { readonly path: `/api/admin/settings/${infer Path}` }
  ? { readonly path: Path; readonly body: Omit<Sent<R>, "expectedRevision"> }
  : never;

/** A change to a setting, by the last part of its path. */
export type SettingChange = Change<(typeof settingChanges)[number]>;

/**
 * @returns all settings after the change
 * @throws ApiError 409 `changed-meanwhile` after a change since `expectedRevision`, 422 if a rule forbids the change
 */
export async function changeSetting(
  { path, body }: SettingChange,
  expectedRevision: number,
  idempotencyKey: string,
): Promise<Settings> {
  const change = settingChanges.find((known) => known.path === `/api/admin/settings/${path}`);
  if (!change) throw new Error(`Unknown setting ${path}`);
  const answer = await request("POST", change.path, { ...body, expectedRevision }, { idempotencyKey });
  return answerIn(change, answer);
}
