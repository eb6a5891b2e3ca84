import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { type Audit, audit } from "./get-audit.ts";

/** POST /api/admin/compliance/audit: begins to read the whole log, unless that is under way. @throws ApiError */
export const startAudit = (): Promise<Audit> => requestJson(audit, "POST", adminApi.compliance("audit"), {});
