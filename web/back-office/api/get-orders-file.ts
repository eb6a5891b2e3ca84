import { request } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { saveFile } from "../save-file.ts";

/** GET /api/admin/orders.csv: every order of the list as it is filtered and sorted. @throws ApiError */
export async function getOrdersFile(query: string): Promise<void> {
  await saveFile(await request("GET", `${adminApi.ordersFile}?${query}`));
}
