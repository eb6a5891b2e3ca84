import { request } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { saveFile } from "../save-file.ts";

/** POST …/export: an account of all that is held, as a file. Each order and ticket it opens is a look in the log. @throws ApiError */
export async function exportCustomer(id: string, format: "pdf" | "json"): Promise<void> {
  await saveFile(await request("POST", adminApi.customerAction(id, "export"), { format }));
}
