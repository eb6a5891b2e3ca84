import type { Sent } from "../../../contract/request.ts";
import type * as changes from "../../../contract/settings/changes.ts";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { type Settings, settingsSchema } from "./get-settings.ts";

type Change<Path extends string, Request> = {
  readonly path: Path;
  readonly body: Omit<Request, "expectedRevision">;
};

/** Every change a manager can make, by the last part of its address. */
export type SettingChange =
  | Change<"prices", Sent<typeof changes.schedulePrices>>
  | Change<"prices/withdraw", Sent<typeof changes.withdrawPrices>>
  | Change<"company", Sent<typeof changes.changeCompany>>
  | Change<"retention", Sent<typeof changes.changeRetention>>
  | Change<"certificate-types", Sent<typeof changes.switchCertificateType>>
  | Change<"refund-limit", Sent<typeof changes.changeRefundLimit>>
  | Change<"canned-answers", Sent<typeof changes.writeCannedAnswer>>
  | Change<"canned-answers/remove", Sent<typeof changes.removeCannedAnswer>>
  | Change<"testimonials", Sent<typeof changes.changeTestimonials>>
  | Change<"staff/grant", Sent<typeof changes.grantRole>>
  | Change<"staff/revoke", Sent<typeof changes.revokeRole>>;
/**
 * POST /api/admin/settings/…: answers all settings as they are then.
 * @throws ApiError: 409 `changed-meanwhile` when somebody made a change after `expectedRevision`; 422 when a rule forbids it
 */
export const changeSetting = (
  { path, body }: SettingChange,
  expectedRevision: number,
  idempotencyKey: string,
): Promise<Settings> =>
  requestJson(
    settingsSchema,
    "POST",
    adminApi.setting(path),
    { ...body, expectedRevision },
    { idempotencyKey },
  );
