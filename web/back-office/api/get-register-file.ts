import { request } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { saveFile } from "../save-file.ts";

/** GET /api/admin/compliance/export: the register as a signed file, narrowed by the list's own filters. @throws ApiError */
export async function getRegisterFile(register: "purges" | "access", query: URLSearchParams): Promise<void> {
  const asked = new URLSearchParams(query);
  asked.set("register", register);
  await saveFile(await request("GET", `${adminApi.compliance("export")}?${asked}`));
}
