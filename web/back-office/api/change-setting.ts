import type * as asked from "../../../domain/settings/settings-requests.ts";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { type Settings, settingsSchema } from "./get-settings.ts";

type Change<Path extends string, Request> = {
  readonly path: Path;
  readonly body: Omit<Request, "expectedRevision">;
};

/** Every change a manager can make, by the last part of its address. */
export type SettingChange =
  | Change<"prices", asked.PricesRequest>
  | Change<"prices/withdraw", asked.WithdrawalRequest>
  | Change<"company", asked.CompanyRequest>
  | Change<"retention", asked.RetentionRequest>
  | Change<"certificate-types", asked.CertificateTypeRequest>
  | Change<"refund-limit", asked.RefundLimitRequest>
  | Change<"canned-answers", asked.CannedAnswerRequest>
  | Change<"canned-answers/remove", asked.CannedAnswerRemoval>
  | Change<"testimonials", asked.TestimonialsRequest>
  | Change<"staff/grant", asked.GrantRequest>
  | Change<"staff/revoke", asked.RevocationRequest>;

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
